package io.plat.cel;

import dev.cel.common.CelOptions;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelRuntimeLibrary;
import dev.cel.runtime.CelStandardFunctions;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * CEL environment of Kubernetes: CEL with its usual extensions and Kubernetes' functions. The length of expressions and the steps of
 * their comprehensions are bounded; patterns do not backtrack. Loaded with the first expression.
 */
public final class CelEnvironment {
    /** Maximum length of an expression, in characters. */
    private static final int MAX_EXPRESSION_LENGTH = 10_240;

    /** Maximum comprehension steps of an evaluation: each costs at least one, so {@link CostBudget} is the effective limit. */
    private static final int MAX_STEPS = (int) CostBudget.EXPRESSION;

    /** Maximum length of the report on one expression, in characters: a long line may have many errors. */
    private static final int MAX_REPORT_LENGTH = 4_096;

    /** Prefixes of the parser's messages for syntax errors. */
    private static final List<String> SYNTAX_ERRORS = List.of(
            ": mismatched input '",
            ": extraneous input '",
            ": missing ",
            ": no viable alternative at input '",
            ": token recognition error at: '");

    private static final CelOptions OPTIONS = CelOptions.current()
            .comprehensionMaxIterations(MAX_STEPS)
            .enableHeterogeneousNumericComparisons(true)
            .maxExpressionCodePointSize(MAX_EXPRESSION_LENGTH)
            .build();

    /** CEL extensions, then Kubernetes' functions. */
    private static final List<CelCompilerLibrary> LIBRARIES = List.of(
            // Version 2 of the extension, as in Kubernetes 1.36; format is implemented in TextFunctions.
            CelExtensions.strings(EnumSet.complementOf(EnumSet.of(CelStringExtensions.Function.REVERSE))),
            CelExtensions.sets(OPTIONS),
            CelExtensions.lists(),
            CelExtensions.optional(),
            CelExtensions.comprehensions(),
            new FieldFunctions(),
            new QuantityFunctions(),
            new AddressFunctions(),
            new UrlFunctions(),
            new FormatFunctions(),
            new TextFunctions(),
            new SemverFunctions());

    /** Runtime for rules. */
    public static final CelRuntime RUNTIME = runtime().build();

    private CelEnvironment() {}

    /** Returns a runtime builder to which other functions can be added. */
    public static CelRuntimeBuilder runtime() {
        return CelRuntimeFactory.plannerRuntimeBuilder()
                .setOptions(OPTIONS)
                // Patterns are compiled by FieldFunctions, with limits.
                .setStandardFunctions(CelStandardFunctions.newBuilder()
                        .excludeFunctions(CelStandardFunctions.StandardFunction.MATCHES)
                        .build())
                .addLibraries(
                        LIBRARIES.stream().map(CelRuntimeLibrary.class::cast).toList());
    }

    /** Returns a compiler builder without variables, whose variables may have reserved names such as {@code namespace}. */
    public static CelCompilerBuilder compilerOfAnyNames() {
        return compiler()
                .setOptions(OPTIONS.toBuilder().enableReservedIds(false).build());
    }

    /** Returns a compiler builder without variables. */
    public static CelCompilerBuilder compiler() {
        return CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addLibraries(LIBRARIES);
    }

    /** Returns the message for an expression that did not compile: each error with its line and column. */
    static String failure(String cause) {
        var message = new StringBuilder("compilation failed: ");
        for (String line : cause.strip().split("\n", -1)) {
            if (message.length() > MAX_REPORT_LENGTH) {
                break;
            }
            message.append(line.startsWith("ERROR: ") ? worded(line) : line).append('\n');
        }
        return message.substring(0, Math.min(message.length() - 1, MAX_REPORT_LENGTH));
    }

    /** Returns a line in the wording of Kubernetes, which labels syntax errors and lists no candidates. */
    private static String worded(String line) {
        int candidates = line.indexOf(" (candidates: ");
        String text = (candidates < 0 ? line : line.substring(0, candidates))
                .replace("google.protobuf.Timestamp", "timestamp")
                .replace("google.protobuf.Duration", "duration");
        for (String error : SYNTAX_ERRORS) {
            int at = text.indexOf(error);
            if (at > 0) {
                return text.substring(0, at) + ": Syntax error" + text.substring(at);
            }
        }
        return text;
    }

    /** Semantic version functions: {@code semver(self.version).isLessThan(semver('2.0.0'))}. */
    private static final class SemverFunctions extends FunctionLibrary {
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
}
