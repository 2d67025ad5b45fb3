package io.plat.apiserver.expression;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.extensions.CelExtensions;
import io.plat.apiserver.cel.CelEnvironment;
import io.plat.apiserver.cel.CompiledExpression;
import io.plat.apiserver.cel.TypeRegistry;
import io.plat.apiserver.schema.TypeSchema;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Scope of an expression: its predeclared variables.
 *
 * @param params whether there are parameters
 * @param authorizer whether it may use the authorizer
 * @param patches whether it is a mutation
 */
record ExpressionScope(boolean params, boolean authorizer, boolean patches) {
    /** Scope of match conditions. */
    static final ExpressionScope REQUEST = new ExpressionScope(false, true, false);

    static final String VARIABLES_TYPE = "kubernetes.variables";

    private static final String VARIABLES = "variables";
    private static final Map<ExpressionScope, CelCompiler> COMPILERS = new ConcurrentHashMap<>();

    /** Compiler of device selectors. */
    private static final class Devices {
        static final CelCompiler COMPILER = CelEnvironment.compiler()
                .addLibraries(CelExtensions.bindings())
                .setTypeProvider(VariableTypes.registry())
                .addVar("device", VariableTypes.DEVICE)
                .build();
    }

    /** Compiles a device selector. */
    static CompiledExpression ofDevice(String expression) {
        return CompiledExpression.of(Devices.COMPILER, expression);
    }

    /**
     * Compiles an expression.
     *
     * @param variables types of the policy's variables; null for kinds without variables
     */
    CompiledExpression compile(String expression, @Nullable Map<String, CelType> variables) {
        @Nullable Map<String, CelType> named = expression.contains(VARIABLES) ? variables : null;
        return CompiledExpression.of(
                patches || named != null
                        ? compiler(expression, null, null, named)
                        : COMPILERS.computeIfAbsent(this, scope -> scope.compiler(expression, null, null, null)),
                expression);
    }

    /** Compiles an expression with known schemas of objects and parameters; null for an unknown schema. */
    CompiledExpression compile(
            String expression,
            @Nullable TypeSchema object,
            @Nullable TypeSchema parameters,
            Map<String, CelType> variables) {
        return CompiledExpression.of(compiler(expression, object, parameters, variables), expression);
    }

    private CelCompiler compiler(
            String expression,
            @Nullable TypeSchema object,
            @Nullable TypeSchema parameters,
            @Nullable Map<String, CelType> variables) {
        TypeRegistry types = VariableTypes.registry();
        CelType objectType = object == null ? SimpleType.DYN : types.of("object", object);
        CelCompilerBuilder builder = CelEnvironment.compiler()
                .addLibraries(AuthorizerFunctions.INSTANCE)
                .setTypeProvider(types)
                .addVar("object", objectType)
                .addVar("oldObject", objectType)
                .addVar("namespaceObject", VariableTypes.NAMESPACE)
                .addVar("request", VariableTypes.REQUEST);
        if (params) {
            builder.addVar("params", parameters == null ? SimpleType.DYN : types.of("params", parameters));
        }
        if (authorizer) {
            builder.addVar("authorizer", AuthorizerFunctions.AUTHORIZER)
                    .addVar("authorizer.requestResource", AuthorizerFunctions.RESOURCE);
        }
        if (patches) {
            builder.addLibraries(MutationTypes.INSTANCE);
            MutationTypes.addTypes(expression, types);
        }
        if (variables != null) {
            builder.addVar(VARIABLES, types.add(VARIABLES_TYPE, variables));
        }
        return builder.build();
    }
}
