package io.plat.cel;

import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OpaqueType;
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
import java.util.stream.Stream;

/** Library of CEL functions, each declared once for the checker and for the runtime. Filled by a subclass, then immutable. */
public abstract class FunctionLibrary implements CelCompilerLibrary, CelRuntimeLibrary {
    protected static final Type<Boolean> BOOL = new Type<>(SimpleType.BOOL, Boolean.class);
    protected static final Type<Long> INT = new Type<>(SimpleType.INT, Long.class);
    protected static final Type<Double> DOUBLE = new Type<>(SimpleType.DOUBLE, Double.class);
    protected static final Type<String> TEXT = new Type<>(SimpleType.STRING, String.class);

    private final Map<String, List<CelOverloadDecl>> overloads = new LinkedHashMap<>();
    private final List<CelFunctionBinding> bindings = new ArrayList<>();

    /** CEL type and the Java class of its values. */
    protected record Type<T>(CelType cel, Class<T> as) {
        public static <T> Type<T> opaque(String name, Class<T> as) {
            return new Type<>(OpaqueType.create(name), as);
        }

        @SuppressWarnings("rawtypes")
        public Type<List> list() {
            return new Type<>(ListType.create(cel), List.class);
        }
    }

    /** Body of a function of three values. */
    @FunctionalInterface
    protected interface Ternary<A, B, C> {
        Object apply(A first, B second, C third);
    }

    /** Adds a function without arguments: a constant. */
    protected final void constant(String name, Type<?> result, CelFunctionOverload value) {
        bindings.add(CelFunctionBinding.from(declare(name, false, result), List.of(), value));
    }

    /** Adds a global function of one argument. */
    protected final <A> void global(String name, Type<?> result, Type<A> a, CelFunctionOverload.Unary<A> body) {
        bindings.add(CelFunctionBinding.from(declare(name, false, result, a), a.as, body));
    }

    /** Adds a global function of two arguments. */
    protected final <A, B> void global(
            String name, Type<?> result, Type<A> a, Type<B> b, CelFunctionOverload.Binary<A, B> body) {
        bindings.add(CelFunctionBinding.from(declare(name, false, result, a, b), a.as, b.as, body));
    }

    /** Adds a method without arguments. */
    protected final <A> void member(String name, Type<?> result, Type<A> a, CelFunctionOverload.Unary<A> body) {
        bindings.add(CelFunctionBinding.from(declare(name, true, result, a), a.as, body));
    }

    /** Adds a method with one argument. */
    protected final <A, B> void member(
            String name, Type<?> result, Type<A> a, Type<B> b, CelFunctionOverload.Binary<A, B> body) {
        bindings.add(CelFunctionBinding.from(declare(name, true, result, a, b), a.as, b.as, body));
    }

    /** Adds a method with two arguments. */
    // Bodies are method references, as those of the other functions are.
    @SuppressWarnings("Immutable")
    protected final <A, B, C> void member(
            String name, Type<?> result, Type<A> a, Type<B> b, Type<C> c, Ternary<A, B, C> body) {
        bindings.add(CelFunctionBinding.from(
                declare(name, true, result, a, b, c),
                List.of(a.as, b.as, c.as),
                values -> body.apply(a.as.cast(values[0]), b.as.cast(values[1]), c.as.cast(values[2]))));
    }

    /** Adds the comparison methods of an ordered type. */
    protected final <T extends Comparable<T>> void ordered(Type<T> type) {
        member("isGreaterThan", BOOL, type, type, (one, other) -> one.compareTo(other) > 0);
        member("isLessThan", BOOL, type, type, (one, other) -> one.compareTo(other) < 0);
        member("compareTo", INT, type, type, (one, other) -> (long) one.compareTo(other));
    }

    /** Replaces the body of a standard function. */
    protected final void replace(String overload, CelFunctionOverload.Binary<String, String> body) {
        bindings.add(CelFunctionBinding.from(overload, String.class, String.class, body));
    }

    private String declare(String name, boolean member, Type<?> result, Type<?>... arguments) {
        List<CelType> types = Stream.of(arguments).<CelType>map(Type::cel).toList();
        var id = new StringBuilder("field_").append(name.replace('.', '_'));
        types.forEach(type -> id.append('_').append(type.name()));
        overloads
                .computeIfAbsent(name, one -> new ArrayList<>())
                .add(
                        member
                                ? CelOverloadDecl.newMemberOverload(id.toString(), result.cel, types)
                                : CelOverloadDecl.newGlobalOverload(id.toString(), result.cel, types));
        return id.toString();
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
