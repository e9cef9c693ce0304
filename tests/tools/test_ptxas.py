"""Verdicts in bulk: each statement's is its own, whatever stands beside it."""

import json
import random
import re
from pathlib import Path

import pytest

from tools.certify.environment import EXAMPLES, REGISTERS, Environment, Header, Scope
from tools.certify.ptxas import EnvironmentRejected, Verdict, messages, module_verdict, module_verdicts, verdicts
from tools.certify.releases import Release, ReleaseUnavailable, release
from tools.specification.names import NAMES

pytestmark = pytest.mark.ptxas

ACCEPTED, REJECTED, CRASHED = Verdict.ACCEPTED, Verdict.REJECTED, Verdict.CRASHED
MUTANTS = Path(__file__).parents[3] / "shared" / "cases" / "mutants.jsonl"


def fetched(name: str) -> Release:
    """A release, or a skipped test."""
    found = release(name)
    try:
        found.path()
    except ReleaseUnavailable as why:
        pytest.skip(f"ptxas {name} cannot be fetched: {why}")
    return found


@pytest.fixture(scope="module")
def ptxas() -> Release:
    return fetched("13.5")


# Each of these has, or might have, an effect on what is checked after it.
LEGAL = [
    "add.s32 %s32_1, %s32_2, %s32_3;",
    "atom.cta.min.L2::cache_hint.u64 %u64_1, [%b64_9], %u64_23, %u64_10;",
    "barrier.cta.red.and.aligned.pred %pred_5, %u32_12, %pred_10;",
    "createpolicy.range.L2::evict_last.b64 %b64_1, [%b64_2], 256, 512;",
    "ret;",
    "exit;",
    "trap;",
    "@%pred_1 bra $L0;",
    "bra.uni $L1;",
    "brx.idx %u32_1, $targets;",
    "call (%b32_1), extf, (%b32_2);",
    "call %u64_1, (%b32_2), $proto;",
    "rem.u64 %u64_1, %u64_2, %u64_3;",
    "vset.s32.u32.lt %u32_1, %s32_2, %u32_3;",
    "mine:",
    "{ mine: bra mine; }",
    "{ .reg .b32 mine; mov.b32 mine, 1; }",
    ".reg .b32 mine;",
    ".shared .b32 mine;",
    '.pragma "nounroll";',
    "add.s32 %s32_1,\n %s32_2, %s32_3;",
    "add.s32 %s32_1, %s32_2, %s32_3; // }",
    "/* { */ add.s32 %s32_1, %s32_2, %s32_3;",
    "ret; } .visible .entry mine () {",
    "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [sv], 32;",
    "tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [sv], 32;",
]
ILLEGAL = [
    "add.f32 %s32_1, %s32_2, %s32_3;",  # an error
    "add.s32 _, %s32_1, %s32_2;",  # a fatal one
    "barrier.cta.red.or.aligned.pred _ _;",  # fatal, leaves modifiers behind
    # fatal inside of an expansion, leaves the rest of that behind
    "mma.sync.aligned.m16n8k16.row.col.f32.e5m2.e4m3.f32 {_, %f32_2, %f32_3, %f32_4}, {%b32_12, %b32_13}, {%b32_23},"
    " {%f32_10, %f32_11, %f32_12, %f32_13};",
    # errors inside of expansions, which are made only while there is no error
    "createpolicy.range.L2::evict_last.b64 %b64_1, [%b16_1], 256, 512;",
    "multimem.red.global.add.u32 [%u32_1], %u32_2;",
    # fatal inside of expansions, and named as errors of the next module
    "rem.u64 %u64_1, gv+4, %u64_2;",
    "vset.s32.u32.lt %u32_1, gv+4, %u32_3;",
    # errors found only when no module has another
    "tcgen05.ld.red.sync.aligned.32x32b.x4.max.NaN.f32 {%f32_1, %f32_2, %f32_3, %f32_4}, %f32_12, [%b32_9];",
    "foo ? bar;",
    "foo.b32 %b32_1;",
    "bra mine;",
    "mov.b32 %b32_1, mine;",
    "call ptxgen_nowhere;",
    "add.s32 %s32_1, %s32_2, %s32_3",
    "trap",
    "@%pred_1",
    ";",
    "{ add.s32 %s32_1, %s32_2, %s32_3;",
    "add.s32 %s32_1, %s32_2, %s32_3; }",
    "/* add.s32 %s32_1, %s32_2, %s32_3;",
    '.pragma "nounroll;',
    '# 3 "0"\nadd.f32 %s32_1, %s32_2, %s32_3;',
    "add.s32 %s32_1, %s32_2, \N{GREEK SMALL LETTER ALPHA};",
    "add.s32 %s32_1, %s32_2, \udc80;",
    "mov.b32 %b32_1, smpv;",  # a sampler needs independent texture mode
    "cp.async.ca.shared.global.cc.L2::128B [%b32_94], [%b64_74], 8, %b32_95;",  # an error, and then a crash
]
# ptxas 13.5 ends with a signal.
CRASHING = ["tcgen05.cp.cta_group::1.128x256b [16], %b64_1;", "tcgen05.cp.cta_group::2.128x256b [16], %b64_1;"]

EXPECTED = {
    **dict.fromkeys(LEGAL, ACCEPTED),
    **dict.fromkeys(ILLEGAL, REJECTED),
    **dict.fromkeys(CRASHING, CRASHED),
}


@pytest.mark.parametrize("statement", EXPECTED)
def test_alone(ptxas: Release, statement: str):
    assert verdicts([statement], "9.5", "sm_100a", ptxas) == [EXPECTED[statement]]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("workers", [1, 2])
def test_in_any_company_and_order(ptxas: Release, seed: int, workers: int):
    order = [*EXPECTED, *random.Random(seed).choices(list(EXPECTED), k=40)]
    random.Random(seed).shuffle(order)
    found = verdicts(order, "9.5", "sm_100a", ptxas, workers=workers)
    assert [(x, y) for x, y in zip(order, found, strict=True) if y is not EXPECTED[x]] == []


def test_after_every_illegal_statement(ptxas: Release):
    order = [x for bad in ILLEGAL for good in LEGAL for x in (bad, good)]
    different = [x + " " * i for i, x in enumerate(order)]  # equal statements are judged once
    found = verdicts(different, "9.5", "sm_100a", ptxas, workers=1)
    assert [(x, y) for x, y in zip(order, found, strict=True) if y is not EXPECTED[x]] == []


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("rem.u64 %u64_{}, %u64_2, %u64_3;", "rem.u64 %u64_{}, gv+4, %u64_3;"),
        ("div.s64 %s64_{}, %s64_2, %s64_3;", "div.s64 %s64_{}, %s64_2, devf;"),
        ("vset.s32.u32.lt %u32_{}, %s32_2, %u32_3;", "vset.s32.u32.lt %u32_{}, gv+4, %u32_3;"),
        ("vmad.s32.s32.u32 %s32_{}, %s32_2, %u32_3, %s32_4;", "vmad.s32.s32.u32 %s32_{}, %s32_2, gv+4, %s32_4;"),
    ],
)
@pytest.mark.parametrize("pattern", ["bg", "gb", "bgg", "bbg", "gbbbg", "b", "bb"])
def test_errors_in_expansions_stay_with_their_statement(ptxas: Release, good: str, bad: str, pattern: str):
    order = [letter for _ in range(5) for letter in pattern]
    statements = [{"g": good, "b": bad}[letter].format(i) for i, letter in enumerate(order)]
    wanted = [{"g": ACCEPTED, "b": REJECTED}[letter] for letter in order]
    assert verdicts(statements, "9.5", "sm_100a", ptxas, workers=1) == wanted


def test_nothing_to_judge(ptxas: Release):
    assert verdicts([], "9.5", "sm_100a", ptxas) == []


def own_names(case: dict[str, object], declarations: list[str]) -> str | None:
    """The instruction of a case with registers of the examples environment, or None if it needs more than registers."""
    types: dict[str, tuple[str, int]] = {}
    for first, declaration in enumerate(declarations):
        found = re.fullmatch(r"\.reg \.(\w+) (%\w+)<\d+>", declaration)
        if found is None:
            return None
        types[found[2]] = (found[1], 1000 * first)
    text = str(case["instruction"])

    def renamed(word: re.Match[str]) -> str:
        type_, base = types.get(word[1], ("", 0))
        return f"%{type_}_{base + int(word[2])}" if type_ else word[0]

    return re.sub(r"(%[\w$]*?)(\d+)\b", renamed, text)


@pytest.mark.skipif(not MUTANTS.exists(), reason="the collected cases are not here")
def test_mutants_in_bulk_alone_and_as_recorded(ptxas: Release):
    groups: dict[tuple[str, str], dict[str, Verdict]] = {}
    for line in MUTANTS.read_text().splitlines():
        case = json.loads(line)
        needs = case["decls"]
        statement = own_names(case, needs["loc"])
        if statement is None or needs["mod"] or needs["par"] or needs["lab"] or needs["fn"] != ".entry":
            continue
        if not release("13.5").judges(case["version"], case["target"]):
            continue
        group = groups.setdefault((case["version"], case["target"]), {})
        group[statement] = ACCEPTED if case["accept"] else REJECTED
    largest = sorted(groups.items(), key=lambda item: -len(item[1]))[:12]
    lot = random.Random(1)
    for (version, target), recorded in largest:
        found = dict(zip(recorded, verdicts(list(recorded), version, target, ptxas), strict=True))
        assert {x: y for x, y in found.items() if (y is ACCEPTED) != (recorded[x] is ACCEPTED)} == {}
        scope, arch = EXAMPLES.under(Header(version, target)), ptxas.architecture(target)
        assert arch is not None
        for statement in lot.sample(list(recorded), 25):
            assert module_verdict(scope.module(statement), ptxas, arch) is found[statement], statement


@pytest.mark.parametrize("name", ["11.7", "12.0", "12.9", "13.5"])
def test_environment_is_legal_wherever_a_release_judges(name: str):
    found = fetched(name)
    headers = [
        Header(version, target)
        for version, target in [
            ("1.0", "sm_10"),
            ("1.4", "sm_13"),
            ("1.5", "sm_13"),
            ("2.0", "sm_20"),
            ("2.1", "sm_20"),
            ("2.3", "sm_20"),
            ("4.2", "sm_53"),
            ("6.0", "sm_30"),
            ("7.7", "sm_80"),
            ("8.3", "sm_70"),
            ("8.8", "sm_121f"),
            ("9.5", "sm_107a"),
        ]
        if found.judges(version, target)
    ]
    assert len(headers) > 8
    for header in headers:
        arch = found.architecture(header.target)
        assert arch is not None
        assert not messages(EXAMPLES.under(header).everything(), found, arch), header


@pytest.mark.parametrize(
    ("name", "version", "target"),
    [
        ("%f16x2", "4.2", "sm_52"),
        ("%b128", "8.2", "sm_70"),
        ("%b128", "8.3", "sm_62"),
        ("P", "1.3", "sm_10"),
        ("PA", "1.3", "sm_10"),
        ("texv", "1.4", "sm_10"),
        ("srfv", "1.4", "sm_10"),
        ("smpv", "9.0", "sm_90"),
        ("tv", "1.5", "sm_10"),
        ("extf", "1.5", "sm_13"),
        ("extf", "2.0", "sm_13"),
        ("$proto", "2.0", "sm_20"),
        ("$proto", "2.1", "sm_13"),
        ("$targets", "5.0", "sm_30"),
        ("$targets", "6.0", "sm_20"),
    ],
)
def test_declarations_are_illegal_below_their_floor(ptxas: Release, name: str, version: str, target: str):
    header = Header(version, target)
    declaration = REGISTERS[name[1:]] if name[0] == "%" else NAMES[name]
    assert not header.admits(declaration)
    registers = {name: declaration.text} if name[0] == "%" else {}
    names = {} if registers else {name: declaration, **{needed: NAMES[needed] for needed in declaration.needs}}
    arch = ptxas.architecture(target)
    assert arch is not None
    assert module_verdict(Scope(header.text, {}, {}, "").everything(), ptxas, arch) is ACCEPTED
    assert module_verdict(Scope(header.text, names, registers, "").everything(), ptxas, arch) is REJECTED


def test_options_and_directives(ptxas: Release):
    texture = "tex.2d.v4.f32.f32 {%f32_1, %f32_2, %f32_3, %f32_4}, [texv, smpv, {%f32_5, %f32_6}];"
    assert verdicts([texture], "9.0", "sm_90", ptxas, options=["texmode_independent"]) == [ACCEPTED]
    assert verdicts([texture], "9.0", "sm_90", ptxas) == [REJECTED]
    bounded = Environment(directives=".maxntid 128")
    assert verdicts(["ret;"], "9.0", "sm_90", ptxas, environment=bounded) == [ACCEPTED]
    with pytest.raises(EnvironmentRejected, match=r"\.nosuch"):
        verdicts(["ret;"], "9.0", "sm_90", ptxas, environment=Environment(directives=".nosuch 1"))


def test_header_that_no_ptxas_accepts(ptxas: Release):
    with pytest.raises(EnvironmentRejected, match="sm_90"):
        verdicts(["ret;"], "1.0", "sm_90", ptxas)


def test_release_that_cannot_judge():
    with pytest.raises(ReleaseUnavailable, match=r"12\.9\.86 does not judge PTX 9\.0 for sm_90"):
        verdicts(["ret;"], "9.0", "sm_90", release("12.9"))


def test_whole_modules(ptxas: Release):
    head = ".version 9.0\n.target sm_90\n.address_size 64\n"
    good = f"{head}.visible .entry good () {{ ret; }}\n"
    bad = f"{head}.visible .entry bad () {{ ret }}\n"
    assert module_verdict(good, ptxas, "compute_90") is ACCEPTED
    assert module_verdict(good, ptxas, "sm_90") is ACCEPTED
    assert module_verdict(bad, ptxas, "compute_90") is REJECTED
    assert module_verdicts([bad, good, bad], ptxas, "compute_90") == [REJECTED, ACCEPTED, REJECTED]
    assert messages(good, ptxas, "compute_90") == ""
    assert messages(bad, ptxas, "compute_90") != ""


def test_no_time(ptxas: Release):
    assert module_verdict("", ptxas, "compute_90", timeout=1e-4) is CRASHED


@pytest.mark.parametrize("name", ["12.9", "13.5"])
def test_the_version_decides_and_not_the_release(name: str):
    statements = ["fence.proxy.async;", "clmad.lo.u64 %u64_1, %u64_2, %u64_3, %u64_4;"]
    assert verdicts(statements, "8.8", "sm_120a", fetched(name)) == [ACCEPTED, REJECTED]
