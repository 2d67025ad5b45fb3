package io.plat.apiserver.custom.cel;

import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Functions by their names, each said once for who checks expressions and for who runs them. Filled by a subclass, then not changed. */
public abstract class FieldLibrary implements CelCompilerLibrary, CelRuntimeLibrary {
    private final Map<String, List<CelOverloadDecl>> overloads = new LinkedHashMap<>();
    private final List<CelFunctionBinding> bindings = new ArrayList<>();

    /** A function of nothing, which is a value. */
    protected final void constant(String name, CelType result, CelFunctionOverload value) {
        String id = "field_" + name.replace('.', '_');
        declare(name, CelOverloadDecl.newGlobalOverload(id, result));
        bindings.add(CelFunctionBinding.from(id, List.of(), value));
    }

    /** A function of one value, or of none but the one whose member it is. */
    protected final <A> void function(
            String name, boolean member, CelType result, CelType of, Class<A> as, CelFunctionOverload.Unary<A> body) {
        String id = id(name, of);
        declare(
                name,
                member
                        ? CelOverloadDecl.newMemberOverload(id, result, of)
                        : CelOverloadDecl.newGlobalOverload(id, result, of));
        bindings.add(CelFunctionBinding.from(id, as, body));
    }

    /** A function of two values. */
    protected final <A, B> void global(
            String name,
            CelType result,
            CelType of,
            Class<A> as,
            CelType and,
            Class<B> andAs,
            CelFunctionOverload.Binary<A, B> body) {
        String id = id(name, of) + "_" + and.name();
        declare(name, CelOverloadDecl.newGlobalOverload(id, result, of, and));
        bindings.add(CelFunctionBinding.from(id, as, andAs, body));
    }

    /** A member function with one argument. */
    protected final <A, B> void member(
            String name,
            CelType result,
            CelType of,
            Class<A> as,
            CelType argument,
            Class<B> argumentAs,
            CelFunctionOverload.Binary<A, B> body) {
        String id = id(name, of) + "_" + argument.name();
        declare(name, CelOverloadDecl.newMemberOverload(id, result, of, argument));
        bindings.add(CelFunctionBinding.from(id, as, argumentAs, body));
    }

    /** A member function with two texts as arguments. */
    // Bodies are method references, as those of the other functions are.
    @SuppressWarnings("Immutable")
    protected final <A> void member(String name, CelType result, CelType of, Class<A> as, TextPairFunction<A> body) {
        String id = id(name, of) + "_string_string";
        declare(name, CelOverloadDecl.newMemberOverload(id, result, of, SimpleType.STRING, SimpleType.STRING));
        bindings.add(CelFunctionBinding.from(
                id,
                List.of(as, String.class, String.class),
                arguments -> body.apply(as.cast(arguments[0]), (String) arguments[1], (String) arguments[2])));
    }

    /** The body of a function of a value and two texts. */
    @FunctionalInterface
    protected interface TextPairFunction<A> {
        /** The result. */
        Object apply(A value, String first, String second);
    }

    private static String id(String name, CelType of) {
        return "field_" + name + "_" + of.name();
    }

    private void declare(String name, CelOverloadDecl overload) {
        overloads.computeIfAbsent(name, one -> new ArrayList<>()).add(overload);
    }

    @Override
    public final void setCheckerOptions(CelCheckerBuilder checker) {
        overloads.forEach((name, all) -> checker.addFunctionDeclarations(
                CelFunctionDecl.newFunctionDeclaration(name, all.toArray(CelOverloadDecl[]::new))));
    }

    @Override
    public final void setRuntimeOptions(CelRuntimeBuilder runtime) {
        runtime.addFunctionBindings(bindings);
    }
}
