package io.plat.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.cel.common.types.TypeParamType;
import io.plat.cel.text.RegularExpressions;
import java.util.ArrayList;
import java.util.List;

/** List and string functions that Kubernetes adds to CEL and its extensions. */
@SuppressWarnings("rawtypes") // The elements' type is a parameter, which the checker binds.
final class FieldFunctions extends FunctionLibrary {
    private static final Type<Object> ANY = new Type<>(TypeParamType.create("T"), Object.class);
    private static final Type<List> LIST = ANY.list();

    /** Maximum number of steps of one call: characters read, times the instructions of the pattern. */
    private static final int MAX_STEPS = 50_000_000;

    FieldFunctions() {
        member("isSorted", BOOL, LIST, FieldFunctions::isSorted);
        member("sum", ANY, LIST, FieldFunctions::sum);
        member("min", ANY, LIST, list -> extreme(list, -1));
        member("max", ANY, LIST, list -> extreme(list, 1));
        member("indexOf", INT, LIST, ANY, (list, value) -> (long) list.indexOf(value));
        member("lastIndexOf", INT, LIST, ANY, (list, value) -> (long) list.lastIndexOf(value));
        replace("matches", FieldFunctions::matches);
        replace("matches_string", FieldFunctions::matches);
        member("find", TEXT, TEXT, TEXT, FieldFunctions::find);
        member("findAll", TEXT.list(), TEXT, TEXT, (text, pattern) -> findAll(text, pattern, -1));
        member("findAll", TEXT.list(), TEXT, TEXT, INT, FieldFunctions::findAll);
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
        Object extreme = list.getFirst();
        for (Object element : list) {
            if (compare(element, extreme) * sign > 0) {
                extreme = element;
            }
        }
        return extreme;
    }

    @SuppressWarnings("unchecked") // Elements of a list have one type, as the checker has verified.
    private static int compare(Object one, Object other) {
        if (one instanceof Comparable<?> comparable && one.getClass() == other.getClass()) {
            return ((Comparable<Object>) comparable).compareTo(other);
        }
        throw new IllegalArgumentException("values that have no order");
    }

    private static Matcher matcher(String text, String pattern) {
        Pattern compiled = RegularExpressions.compile(pattern);
        return compiled.matcher(new BoundedText(text, MAX_STEPS / compiled.programSize()));
    }

    private static boolean matches(String text, String pattern) {
        return matcher(text, pattern).find();
    }

    private static String find(String text, String pattern) {
        Matcher matcher = matcher(text, pattern);
        return matcher.find() ? matcher.group() : "";
    }

    private static List<String> findAll(String text, String pattern, long limit) {
        var matches = new ArrayList<String>();
        Matcher matcher = matcher(text, pattern);
        while ((limit < 0 || matches.size() < limit) && matcher.find()) {
            matches.add(matcher.group());
        }
        return matches;
    }
}
