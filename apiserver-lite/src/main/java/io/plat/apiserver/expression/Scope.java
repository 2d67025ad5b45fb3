package io.plat.apiserver.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.extensions.CelExtensions;
import io.plat.apiserver.custom.cel.Language;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which variables an expression has.
 *
 * @param params whether there are parameters
 * @param authorizer whether it may ask who authorizes
 * @param patches whether it says how an object is changed
 */
record Scope(boolean params, boolean authorizer, boolean patches) {
    /** The one of conditions on requests. */
    static final Scope REQUEST = new Scope(false, true, false);

    private static final String VARIABLES = "variables";
    static final String VARIABLES_TYPE = "kubernetes.variables";
    private static final Map<Scope, CelCompiler> COMPILERS = new ConcurrentHashMap<>();

    /** What is looked at to choose a device. */
    private static final class Devices {
        static final CelCompiler COMPILER = Language.compiler()
                .addLibraries(CelExtensions.bindings())
                .setTypeProvider(Types.with(Map.of()))
                .addVar("device", Types.DEVICE)
                .build();
    }

    /** Compiles an expression on a device. */
    static Compiled ofDevice(String expression) {
        return compile(Devices.COMPILER, expression);
    }

    /** Compiles an expression. */
    Compiled compile(String expression) {
        return compile(compiler(expression), expression);
    }

    /** Compiles an expression that may name others. */
    Compiled compile(String expression, Map<String, CelType> variables) {
        return compile(compiler(expression, variables), expression);
    }

    private CelCompiler compiler(String expression) {
        return patches
                ? compiler(Patches.types(expression)).build()
                : COMPILERS.computeIfAbsent(
                        this, scope -> scope.compiler(Map.of()).build());
    }

    /** Returns the compiler of an expression that may name others. */
    CelCompiler compiler(String expression, Map<String, CelType> variables) {
        if (!expression.contains(VARIABLES)) {
            return compiler(expression);
        }
        Map<String, StructType> types = new HashMap<>(patches ? Patches.types(expression) : Map.of());
        types.put(VARIABLES_TYPE, Types.struct(VARIABLES_TYPE, variables));
        return compiler(types)
                .addVar(VARIABLES, StructTypeReference.create(VARIABLES_TYPE))
                .build();
    }

    /** Returns a compiler that knows the types of {@code object}, {@code oldObject} and {@code params}. */
    CelCompiler compiler(ObjectTypes typed, CelType object, CelType parameters, Map<String, CelType> variables) {
        Map<String, StructType> types = Map.of(VARIABLES_TYPE, Types.struct(VARIABLES_TYPE, variables));
        return compiler(typed.with(Types.with(types)), object, parameters)
                .addVar(VARIABLES, StructTypeReference.create(VARIABLES_TYPE))
                .build();
    }

    private CelCompilerBuilder compiler(Map<String, StructType> types) {
        return compiler(Types.with(types), SimpleType.DYN, SimpleType.DYN);
    }

    private CelCompilerBuilder compiler(CelTypeProvider types, CelType object, CelType parameters) {
        CelCompilerBuilder builder = Language.compiler()
                .addLibraries(Authorizers.INSTANCE)
                .setTypeProvider(types)
                .addVar("object", object)
                .addVar("oldObject", object)
                .addVar("namespaceObject", Types.NAMESPACE)
                .addVar("request", Types.REQUEST);
        if (params) {
            builder.addVar("params", parameters);
        }
        if (authorizer) {
            builder.addVar("authorizer", Authorizers.AUTHORIZER)
                    .addVar("authorizer.requestResource", Authorizers.RESOURCE);
        }
        if (patches) {
            builder.addLibraries(Patches.INSTANCE);
        }
        return builder;
    }

    private static Compiled compile(CelCompiler compiler, String expression) {
        CelValidationResult checked = compiler.compile(expression);
        if (checked.hasError()) {
            return Compiled.unusable(Language.failure(checked));
        }
        try {
            CelAbstractSyntaxTree tree = checked.getAst();
            return new Compiled(tree.getResultType(), "");
        } catch (CelValidationException e) {
            throw new IllegalStateException("an expression without errors has no tree", e);
        }
    }
}
