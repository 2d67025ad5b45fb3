package io.plat.apiserver.expression;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.extensions.CelExtensions;
import io.plat.apiserver.cel.Compiled;
import io.plat.apiserver.cel.Language;
import io.plat.apiserver.cel.TypeRegistry;
import io.plat.apiserver.schema.TypeSchema;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The variables of an expression.
 *
 * @param params whether there are parameters
 * @param authorizer whether it may check authorization
 * @param patches whether it describes the change of an object
 */
record Scope(boolean params, boolean authorizer, boolean patches) {
    /** The scope of conditions on requests. */
    static final Scope REQUEST = new Scope(false, true, false);

    static final String VARIABLES_TYPE = "kubernetes.variables";

    private static final String VARIABLES = "variables";
    private static final Map<Scope, CelCompiler> COMPILERS = new ConcurrentHashMap<>();

    /** The compiler of expressions that choose devices. */
    private static final class Devices {
        static final CelCompiler COMPILER = Language.compiler()
                .addLibraries(CelExtensions.bindings())
                .setTypeProvider(VariableTypes.registry())
                .addVar("device", VariableTypes.DEVICE)
                .build();
    }

    /** Compiles an expression on a device. */
    static Compiled ofDevice(String expression) {
        return Compiled.of(Devices.COMPILER, expression);
    }

    /**
     * Compiles an expression.
     *
     * @param variables the types of the policy's variables; null where expressions have none
     */
    Compiled compile(String expression, @Nullable Map<String, CelType> variables) {
        @Nullable Map<String, CelType> named = expression.contains(VARIABLES) ? variables : null;
        return Compiled.of(
                patches || named != null
                        ? compiler(expression, null, null, named)
                        : COMPILERS.computeIfAbsent(this, scope -> scope.compiler(expression, null, null, null)),
                expression);
    }

    /** Compiles an expression on objects and parameters whose schemas are known; null for one that is not. */
    Compiled compile(
            String expression,
            @Nullable TypeSchema object,
            @Nullable TypeSchema parameters,
            Map<String, CelType> variables) {
        return Compiled.of(compiler(expression, object, parameters, variables), expression);
    }

    private CelCompiler compiler(
            String expression,
            @Nullable TypeSchema object,
            @Nullable TypeSchema parameters,
            @Nullable Map<String, CelType> variables) {
        TypeRegistry types = VariableTypes.registry();
        CelType objectType = object == null ? SimpleType.DYN : types.of("object", object);
        CelCompilerBuilder builder = Language.compiler()
                .addLibraries(Authorizers.INSTANCE)
                .setTypeProvider(types)
                .addVar("object", objectType)
                .addVar("oldObject", objectType)
                .addVar("namespaceObject", VariableTypes.NAMESPACE)
                .addVar("request", VariableTypes.REQUEST);
        if (params) {
            builder.addVar("params", parameters == null ? SimpleType.DYN : types.of("params", parameters));
        }
        if (authorizer) {
            builder.addVar("authorizer", Authorizers.AUTHORIZER)
                    .addVar("authorizer.requestResource", Authorizers.RESOURCE);
        }
        if (patches) {
            builder.addLibraries(Patches.INSTANCE);
            Patches.addTypes(expression, types);
        }
        if (variables != null) {
            builder.addVar(VARIABLES, types.add(VARIABLES_TYPE, variables));
        }
        return builder.build();
    }
}
