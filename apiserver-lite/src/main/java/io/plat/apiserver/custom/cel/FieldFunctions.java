package io.plat.apiserver.custom.cel;

import com.google.re2j.Matcher;
import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;
import io.plat.apiserver.custom.schema.RegularExpressions;
import java.util.ArrayList;
import java.util.List;

/** The functions that existing servers have in rules beside those of the language and its usual extensions. */
final class FieldFunctions implements CelCompilerLibrary, CelRuntimeLibrary {
    static final FieldFunctions INSTANCE = new FieldFunctions();

    private static final TypeParamType ANY = TypeParamType.create("T");
    private static final CelType LIST = ListType.create(ANY);

    private FieldFunctions() {}

    @Override
    public void setCheckerOptions(CelCheckerBuilder checker) {
        checker.addFunctionDeclarations(
                CelFunctionDecl.newFunctionDeclaration(
                        "isSorted", CelOverloadDecl.newMemberOverload("list_is_sorted", SimpleType.BOOL, LIST)),
                CelFunctionDecl.newFunctionDeclaration("sum", CelOverloadDecl.newMemberOverload("list_sum", ANY, LIST)),
                CelFunctionDecl.newFunctionDeclaration("min", CelOverloadDecl.newMemberOverload("list_min", ANY, LIST)),
                CelFunctionDecl.newFunctionDeclaration("max", CelOverloadDecl.newMemberOverload("list_max", ANY, LIST)),
                CelFunctionDecl.newFunctionDeclaration(
                        "indexOf", CelOverloadDecl.newMemberOverload("list_index_of", SimpleType.INT, LIST, ANY)),
                CelFunctionDecl.newFunctionDeclaration(
                        "lastIndexOf",
                        CelOverloadDecl.newMemberOverload("list_last_index_of", SimpleType.INT, LIST, ANY)),
                CelFunctionDecl.newFunctionDeclaration(
                        "find",
                        CelOverloadDecl.newMemberOverload(
                                "text_find", SimpleType.STRING, SimpleType.STRING, SimpleType.STRING)),
                CelFunctionDecl.newFunctionDeclaration(
                        "findAll",
                        CelOverloadDecl.newMemberOverload(
                                "text_find_all",
                                ListType.create(SimpleType.STRING),
                                SimpleType.STRING,
                                SimpleType.STRING),
                        CelOverloadDecl.newMemberOverload(
                                "text_find_all_most",
                                ListType.create(SimpleType.STRING),
                                SimpleType.STRING,
                                SimpleType.STRING,
                                SimpleType.INT)));
    }

    @Override
    public void setRuntimeOptions(CelRuntimeBuilder runtime) {
        runtime.addFunctionBindings(
                CelFunctionBinding.from("list_is_sorted", List.class, list -> isSorted(list)),
                CelFunctionBinding.from("list_sum", List.class, list -> sum(list)),
                CelFunctionBinding.from("list_min", List.class, list -> extreme(list, -1)),
                CelFunctionBinding.from("list_max", List.class, list -> extreme(list, 1)),
                CelFunctionBinding.from(
                        "list_index_of", List.class, Object.class, (list, value) -> (long) list.indexOf(value)),
                CelFunctionBinding.from("list_last_index_of", List.class, Object.class, (list, value) ->
                        (long) list.lastIndexOf(value)),
                CelFunctionBinding.from("matches", String.class, String.class, FieldFunctions::matches),
                CelFunctionBinding.from("matches_string", String.class, String.class, FieldFunctions::matches),
                CelFunctionBinding.from("text_find", String.class, String.class, FieldFunctions::find),
                CelFunctionBinding.from(
                        "text_find_all", String.class, String.class, (text, pattern) -> findAll(text, pattern, -1)),
                CelFunctionBinding.from(
                        "text_find_all_most",
                        List.of(String.class, String.class, Long.class),
                        arguments -> findAll((String) arguments[0], (String) arguments[1], (Long) arguments[2])));
    }

    private static boolean isSorted(List<?> list) {
        for (int i = 1; i < list.size(); i++) {
            if (compare(list.get(i - 1), list.get(i)) > 0) {
                return false;
            }
        }
        return true;
    }

    private static Object sum(List<?> list) {
        long whole = 0;
        double sum = 0;
        boolean fractions = false;
        for (Object element : list) {
            if (element instanceof Long number) {
                whole = Math.addExact(whole, number);
            } else if (element instanceof Double number) {
                fractions = true;
                sum += number;
            } else {
                throw new IllegalArgumentException("not numbers");
            }
        }
        return fractions ? (Object) (sum + whole) : (Object) whole;
    }

    private static Object extreme(List<?> list, int sign) {
        if (list.isEmpty()) {
            throw new IllegalArgumentException("an empty list has no least or greatest element");
        }
        Object found = list.getFirst();
        for (Object element : list) {
            if (compare(element, found) * sign > 0) {
                found = element;
            }
        }
        return found;
    }

    @SuppressWarnings("unchecked") // Values of one list are of one type, which the checker has seen to.
    private static int compare(Object one, Object other) {
        if (one instanceof Comparable<?> comparable && one.getClass() == other.getClass()) {
            return ((Comparable<Object>) comparable).compareTo(other);
        }
        throw new IllegalArgumentException("values that have no order");
    }

    private static boolean matches(String text, String pattern) {
        return RegularExpressions.compile(pattern).matcher(text).find();
    }

    private static String find(String text, String pattern) {
        Matcher matcher = RegularExpressions.compile(pattern).matcher(text);
        return matcher.find() ? matcher.group() : "";
    }

    private static List<String> findAll(String text, String pattern, long most) {
        var found = new ArrayList<String>();
        Matcher matcher = RegularExpressions.compile(pattern).matcher(text);
        while ((most < 0 || found.size() < most) && matcher.find()) {
            found.add(matcher.group());
        }
        return found;
    }
}
