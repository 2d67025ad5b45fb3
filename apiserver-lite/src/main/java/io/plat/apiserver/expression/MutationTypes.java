package io.plat.apiserver.expression;

import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructTypeReference;
import dev.cel.compiler.CelCompilerLibrary;
import io.plat.cel.TypeRegistry;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Types of mutating expressions: {@code Object{spec: Object.spec{replicas: 3}}}, in which any path names a type with arbitrary fields,
 * and {@code [JSONPatch{op: 'add', ...}]}.
 */
final class MutationTypes implements CelCompilerLibrary {
    static final MutationTypes INSTANCE = new MutationTypes();

    private static final String OBJECT = "Object";
    private static final String STEP = "JSONPatch";

    static final CelType APPLIED = StructTypeReference.create(OBJECT);

    static final CelType STEPS = ListType.create(StructTypeReference.create(STEP));

    private MutationTypes() {}

    @Override
    public void setCheckerOptions(CelCheckerBuilder checker) {
        checker.addFunctionDeclarations(CelFunctionDecl.newFunctionDeclaration(
                "jsonpatch.escapeKey",
                CelOverloadDecl.newGlobalOverload("jsonpatch_escapeKey", SimpleType.STRING, SimpleType.STRING)));
    }

    /**
     * Adds the types that an expression names. CEL requires the fields of a type to be declared: open types receive all words of the
     * expression.
     */
    static void addTypes(String expression, TypeRegistry types) {
        CelType text = SimpleType.STRING;
        types.add(STEP, Map.of("op", text, "path", text, "from", text, "value", SimpleType.DYN));
        var fields = new HashSet<String>();
        var paths = new HashSet<String>(Set.of(OBJECT));
        int begin = 0;
        for (int i = 0; i <= expression.length(); i++) {
            if (i == expression.length() || !isOfPath(expression.charAt(i))) {
                String path = expression.substring(begin, i);
                (path.startsWith(OBJECT + ".") ? paths : fields).add(path);
                begin = i + 1;
            }
        }
        fields.removeAll(Set.of(OBJECT, ""));
        paths.forEach(path -> types.addOpen(path, fields));
    }

    private static boolean isOfPath(char c) {
        return c == '.' || c == '_' || (c < 128 && Character.isLetterOrDigit(c));
    }
}
