package io.plat.apiserver.custom.cel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import io.plat.apiserver.custom.schema.SchemaNode;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the rules of one schema. Expressions are bounded in length, their evaluation in steps through lists; patterns do not
 * backtrack.
 */
final class RuleCompiler {
    private static final int LONGEST = 10_000;

    /** Steps through lists and maps that one evaluation may take. */
    private static final int MOST_STEPS = 100_000;

    private static final CelOptions OPTIONS = CelOptions.current()
            .comprehensionMaxIterations(MOST_STEPS)
            .enableHeterogeneousNumericComparisons(true)
            .maxExpressionCodePointSize(LONGEST)
            .build();

    private static final CelRuntime RUNTIME = CelRuntimeFactory.plannerRuntimeBuilder()
            .setOptions(OPTIONS)
            .addLibraries(
                    CelExtensions.strings(),
                    CelExtensions.sets(OPTIONS),
                    CelExtensions.lists(),
                    CelExtensions.math(),
                    CelExtensions.encoders(OPTIONS),
                    CelExtensions.regex(),
                    CelExtensions.optional(),
                    FieldFunctions.INSTANCE,
                    QuantityFunctions.INSTANCE,
                    AddressFunctions.INSTANCE,
                    UrlFunctions.INSTANCE,
                    FormatFunctions.INSTANCE,
                    TextFunctions.INSTANCE)
            .build();

    private final CelTypes types;

    RuleCompiler(CelTypes types) {
        this.types = types;
    }

    /** An expression that can't be used, and why, in one line. */
    static final class UnusableException extends Exception {
        private static final long serialVersionUID = 1L;

        private final boolean ofMessage;

        UnusableException(String why, boolean ofMessage) {
            super(why);
            this.ofMessage = ofMessage;
        }

        /** Whether it is the expression that makes the message. */
        boolean ofMessage() {
            return ofMessage;
        }

        /** Why. */
        String why() {
            return String.valueOf(getMessage());
        }
    }

    /**
     * Compiles a rule on the values of a schema.
     *
     * @throws UnusableException if it can't be
     */
    Rule compile(SchemaNode schema, JsonNode source) throws UnusableException {
        CelType self = types.of(schema);
        String text = source.path("rule").asText("").strip();
        boolean optional = source.path("optionalOldSelf").asBoolean();
        CelValidationResult alone = check(builder(self, null, SimpleType.BOOL), text);
        boolean usesOld = alone.hasError();
        @Nullable CelType old = optional ? OptionalType.create(self) : self;
        CelValidationResult checked = usesOld ? check(builder(self, old, SimpleType.BOOL), text) : alone;
        CelRuntime.Program program = program(checked, false);
        String message = source.path("messageExpression").asText("").strip();
        return new Rule(
                source,
                program,
                message.isEmpty()
                        ? null
                        : program(check(builder(self, usesOld ? old : null, SimpleType.STRING), message), true),
                usesOld,
                optional);
    }

    private static CelValidationResult check(CelCompiler compiler, String text) {
        return compiler.compile(text);
    }

    private CelCompiler builder(CelType self, @Nullable CelType old, CelType result) {
        CelCompilerBuilder builder = CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setTypeProvider(types.provider())
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addLibraries(
                        CelExtensions.strings(),
                        CelExtensions.sets(OPTIONS),
                        CelExtensions.lists(),
                        CelExtensions.math(),
                        CelExtensions.encoders(OPTIONS),
                        CelExtensions.regex(),
                        CelExtensions.bindings(),
                        CelExtensions.optional(),
                        FieldFunctions.INSTANCE,
                        QuantityFunctions.INSTANCE,
                        AddressFunctions.INSTANCE,
                        UrlFunctions.INSTANCE,
                        FormatFunctions.INSTANCE,
                        TextFunctions.INSTANCE)
                .addVar("self", self)
                .setResultType(result);
        if (old != null) {
            builder.addVar("oldSelf", old);
        }
        return builder.build();
    }

    private static CelRuntime.Program program(CelValidationResult checked, boolean ofMessage) throws UnusableException {
        if (checked.hasError()) {
            throw new UnusableException("compilation failed: " + oneLine(checked.getErrorString()), ofMessage);
        }
        try {
            return RUNTIME.createProgram(checked.getAst());
        } catch (CelValidationException | CelEvaluationException e) {
            throw new UnusableException("compilation failed: " + oneLine(String.valueOf(e.getMessage())), ofMessage);
        }
    }

    private static String oneLine(String text) {
        return text.lines().findFirst().orElse("").replaceFirst("^ERROR: <input>:", "ERROR: <input>:");
    }
}
