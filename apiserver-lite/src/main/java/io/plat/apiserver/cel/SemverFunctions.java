package io.plat.apiserver.cel;

import java.util.Optional;

/** Semantic versions in expressions: {@code semver(self.version).isLessThan(semver('2.0.0'))}. */
final class SemverFunctions extends FunctionLibrary {
    private static final Type<Semver> SEMVER = Type.opaque("kubernetes.Semver", Semver.class);

    SemverFunctions() {
        global("isSemver", BOOL, TEXT, text -> Semver.parse(text).isPresent());
        global(
                "isSemver",
                BOOL,
                TEXT,
                BOOL,
                (text, normalized) -> find(text, normalized).isPresent());
        global("semver", SEMVER, TEXT, text -> parse(text, false));
        global("semver", SEMVER, TEXT, BOOL, SemverFunctions::parse);
        member("major", INT, SEMVER, Semver::major);
        member("minor", INT, SEMVER, Semver::minor);
        member("patch", INT, SEMVER, Semver::patch);
        ordered(SEMVER);
    }

    private static Optional<Semver> find(String text, boolean normalized) {
        return Semver.parse(normalized ? Semver.normalized(text) : text);
    }

    private static Object parse(String text, boolean normalized) {
        return find(text, normalized).orElseThrow(() -> new IllegalArgumentException("not a semantic version"));
    }
}
