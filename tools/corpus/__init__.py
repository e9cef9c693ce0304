"""Hold the reader, the printer and `requires` against PTX that other compilers made, with ptxas as the judge."""
