package io.plat.apiserver.custom.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;

/** Semantic versions in expressions, as existing servers have them: {@code semver(self.version).isLessThan(semver('2.0.0'))}. */
final class SemverFunctions extends FieldLibrary {
    private static final CelType SEMVER = OpaqueType.create("kubernetes.Semver");

    /** Behind what it is made of. */
    static final SemverFunctions INSTANCE = new SemverFunctions();

    private SemverFunctions() {
        function(
                "isSemver",
                false,
                SimpleType.BOOL,
                SimpleType.STRING,
                String.class,
                text -> Semver.parse(text).isPresent());
        function("semver", false, SEMVER, SimpleType.STRING, String.class, text -> parse(text, false));
        global(
                "isSemver",
                SimpleType.BOOL,
                SimpleType.STRING,
                String.class,
                SimpleType.BOOL,
                Boolean.class,
                (text, normalized) -> Semver.parse(normalized ? Semver.normalized(text) : text)
                        .isPresent());
        global(
                "semver",
                SEMVER,
                SimpleType.STRING,
                String.class,
                SimpleType.BOOL,
                Boolean.class,
                SemverFunctions::parse);
        function("major", true, SimpleType.INT, SEMVER, Semver.class, Semver::major);
        function("minor", true, SimpleType.INT, SEMVER, Semver.class, Semver::minor);
        function("patch", true, SimpleType.INT, SEMVER, Semver.class, Semver::patch);
        member(
                "isGreaterThan",
                SimpleType.BOOL,
                SEMVER,
                Semver.class,
                SEMVER,
                Semver.class,
                (one, other) -> one.compareTo(other) > 0);
        member(
                "isLessThan",
                SimpleType.BOOL,
                SEMVER,
                Semver.class,
                SEMVER,
                Semver.class,
                (one, other) -> one.compareTo(other) < 0);
        member("compareTo", SimpleType.INT, SEMVER, Semver.class, SEMVER, Semver.class, (one, other) ->
                (long) one.compareTo(other));
    }

    private static Object parse(String text, boolean normalized) {
        return Semver.parse(normalized ? Semver.normalized(text) : text)
                .orElseThrow(() -> new IllegalArgumentException("not a semantic version"));
    }
}
