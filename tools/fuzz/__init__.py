"""A fuzzer of everything that reads PTX text: mutated files and extreme ones, with a limit on time and memory."""
