package io.plat.apiserver.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
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
    private static final String TYPE = "kubernetes.variables";
    private static final Map<Scope, CelCompiler> COMPILERS = new ConcurrentHashMap<>();

    /** What is looked at to choose a device. */
    private static final class Devices {
        static final CelCompiler COMPILER = Language.compiler()
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
        return patches
                ? compile(compiler(Patches.types(expression)).build(), expression)
                : compile(
                        COMPILERS.computeIfAbsent(
                                this, scope -> scope.compiler(Map.of()).build()),
                        expression);
    }

    /** Compiles an expression that may name others. */
    Compiled compile(String expression, Map<String, CelType> variables) {
        if (!expression.contains(VARIABLES)) {
            return compile(expression);
        }
        Map<String, StructType> types = new HashMap<>(patches ? Patches.types(expression) : Map.of());
        types.put(TYPE, Types.struct(TYPE, variables));
        return compile(
                compiler(types)
                        .addVar(VARIABLES, StructTypeReference.create(TYPE))
                        .build(),
                expression);
    }

    private CelCompilerBuilder compiler(Map<String, StructType> types) {
        CelCompilerBuilder builder = Language.compiler()
                .addLibraries(Authorizers.INSTANCE)
                .setTypeProvider(Types.with(types))
                .addVar("object", SimpleType.DYN)
                .addVar("oldObject", SimpleType.DYN)
                .addVar("namespaceObject", Types.NAMESPACE)
                .addVar("request", Types.REQUEST);
        if (params) {
            builder.addVar("params", SimpleType.DYN);
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
