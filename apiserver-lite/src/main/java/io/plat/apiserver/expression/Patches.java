package io.plat.apiserver.expression;

import com.google.common.collect.ImmutableSet;
import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import dev.cel.compiler.CelCompilerLibrary;
import java.util.HashMap;
import java.util.Map;

/**
 * What expressions that change objects are made of: {@code Object{spec: Object.spec{replicas: 3}}}, in which any path names a type
 * that has any field, and {@code [JSONPatch{op: 'add', ...}]}.
 */
final class Patches implements CelCompilerLibrary {
    static final Patches INSTANCE = new Patches();

    private static final String OBJECT = "Object";
    private static final String STEP = "JSONPatch";

    /** What is applied. */
    static final CelType APPLIED = StructTypeReference.create(OBJECT);

    /** What is done step by step. */
    static final CelType STEPS = ListType.create(StructTypeReference.create(STEP));

    private Patches() {}

    @Override
    public void setCheckerOptions(CelCheckerBuilder checker) {
        checker.addFunctionDeclarations(CelFunctionDecl.newFunctionDeclaration(
                "jsonpatch.escapeKey",
                CelOverloadDecl.newGlobalOverload("jsonpatch_escapeKey", SimpleType.STRING, SimpleType.STRING)));
    }

    /**
     * The types that an expression names. The library wants to know the fields of a type: those of one that has any are all the words
     * of the expression.
     */
    static Map<String, StructType> types(String expression) {
        var types = new HashMap<String, StructType>();
        types.put(
                STEP,
                Types.struct(
                        STEP,
                        Map.of(
                                "op",
                                SimpleType.STRING,
                                "path",
                                SimpleType.STRING,
                                "from",
                                SimpleType.STRING,
                                "value",
                                SimpleType.DYN)));
        var words = ImmutableSet.<String>builder();
        var paths = ImmutableSet.<String>builder();
        int begin = 0;
        for (int i = 0; i <= expression.length(); i++) {
            if (i == expression.length() || !isOfPath(expression.charAt(i))) {
                String path = expression.substring(begin, i);
                if (path.equals(OBJECT) || path.startsWith(OBJECT + ".")) {
                    paths.add(path);
                } else if (!path.isEmpty()) {
                    words.add(path);
                }
                begin = i + 1;
            }
        }
        ImmutableSet<String> fields = words.build();
        paths.add(OBJECT).build().forEach(path -> types.put(path, Types.open(path, fields)));
        return types;
    }

    private static boolean isOfPath(char c) {
        return c == '.' || c == '_' || (c < 128 && Character.isLetterOrDigit(c));
    }
}
