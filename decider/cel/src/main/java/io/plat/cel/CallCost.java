package io.plat.cel;

import dev.cel.common.values.CelByteString;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Run-time cost of calls, as Kubernetes counts it: a tenth per character read, a quarter per character of a regular expression, one for
 * constant-time operations. A call whose result would be larger than all of its parts also costs the size of the result.
 */
final class CallCost {
    static final double READ = 0.1;
    static final double PATTERN = 0.25;
    static final long AUTHORIZATION_CHECK = 350_000;

    /** Size of a reference to a part of a string, in bytes. */
    private static final long PART = 48;

    /** Size of the characters or elements read for a cost of one, in bytes. */
    private static final long CHARACTERS = 20;

    /** Maximum length of the regular expression of a named format. */
    static final long FORMAT_PATTERN = 128;

    /** Functions that read their first argument once. */
    private static final Set<String> READ_ONCE =
            Set.of(("string bytes format url jsonpatch.escapeKey lowerAscii upperAscii substring trim cidr ip isIP"
                            + " isCIDR quantity isQuantity semver isSemver strings.quote")
                    .split(" ", -1));

    private CallCost() {}

    /** Returns the cost of a call with these values; null is a value of constant size. */
    static long of(String function, List<@Nullable Object> values) {
        @Nullable Object first = values.getFirst();
        @Nullable Object second = values.size() > 1 ? values.get(1) : null;
        long size = size(first);
        LongSupplier bySize = () -> bySize(function, i -> i < values.size() ? size(values.get(i)) : 1);
        return switch (function) {
            case "_+_" -> sum(first, second);
            case "@in" -> second instanceof List<?> ? bySize.getAsLong() : 1;
            case "string", "bytes" -> first instanceof String || first instanceof CelByteString ? read(size) : 1;
            case "indexOf", "lastIndexOf" ->
                traversal(first) + (first instanceof String ? CostEstimate.product(read(size), read(size(second))) : 0);
            case "isSorted", "sum", "max", "min" -> traversal(first);
            case "sort", "lists.@sortByAssociatedKeys", "distinct", "flatten", "slice", "reverse" ->
                1 + size + traversal(first);
            case "lists.range" -> 1 + (first instanceof Long count ? Math.max(0, count) : 0);
            case "format" -> read(size) + traversal(second);
            case "replace" -> bySize.getAsLong() + replaced(size, size(second), size(values.getLast())) / 10;
            case "join" -> read(2 * joined(first, second));
            case "cel.@mapInsert" -> 1 + elements(values.getLast(), CostBudget.EXPRESSION);
            default -> bySize.getAsLong();
        };
    }

    /** Returns the cost of a call by the actual or estimated sizes of its target, if it has one, and arguments. */
    static long bySize(String function, IntToLongFunction size) {
        return switch (function) {
            case "check" -> AUTHORIZATION_CHECK;
            case "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_" ->
                read(Math.min(size.applyAsLong(0), size.applyAsLong(1)));
            case "@in" -> size.applyAsLong(1);
            case "startsWith", "endsWith" -> read(size.applyAsLong(1));
            case "split", "replace" -> scaled(size.applyAsLong(0), 2 * READ);
            case "matches", "find", "findAll", "regex.extract", "regex.extractAll", "regex.replace" ->
                CostEstimate.product(
                        read(CostEstimate.sum(size.applyAsLong(0), 1)), scaled(size.applyAsLong(1), PATTERN));
            case "contains" -> CostEstimate.product(read(size.applyAsLong(0)), read(size.applyAsLong(1)));
            case "validate" ->
                CostEstimate.product(read(CostEstimate.sum(size.applyAsLong(1), 1)), scaled(FORMAT_PATTERN, PATTERN));
            case "containsIP" -> CostEstimate.sum(4, read(size.applyAsLong(1)));
            case "containsCIDR" -> CostEstimate.sum(7, read(size.applyAsLong(1)));
            case "sets.contains", "sets.intersects" ->
                CostEstimate.sum(1, CostEstimate.product(size.applyAsLong(0), size.applyAsLong(1)));
            case "sets.equivalent" ->
                CostEstimate.sum(
                        1, CostEstimate.product(2, CostEstimate.product(size.applyAsLong(0), size.applyAsLong(1))));
            case "fieldSelector", "labelSelector" -> selector(size.applyAsLong(1));
            default -> READ_ONCE.contains(function) ? read(size.applyAsLong(0)) : 1;
        };
    }

    private static long selector(long length) {
        long requirements = scaled(length, 0.5);
        return CostEstimate.sum(10, CostEstimate.sum(read(length), CostEstimate.product(50, requirements)));
    }

    static long read(long characters) {
        return scaled(characters, READ);
    }

    /** Returns the product, rounded up; {@link CostEstimate#UNBOUNDED} on overflow, which also matches Kubernetes' conversion. */
    static long scaled(long size, double factor) {
        return (long) Math.ceil(size * factor);
    }

    private static long size(@Nullable Object value) {
        return switch (value) {
            case String text -> text.length();
            case CelByteString bytes -> bytes.size();
            case Collection<?> list -> list.size();
            case Map<?, ?> map -> map.size();
            case Optional<?> optional -> size(optional.orElse(null));
            case null, default -> 1;
        };
    }

    /** Returns the cost of a sum. Appending a single element to a list, as macros do in each step, takes constant time; whole lists are copied. */
    private static long sum(@Nullable Object first, @Nullable Object second) {
        long copied = first instanceof Collection<?> && size(second) <= 1 ? 1 : read(size(first) + size(second));
        return Math.max(1, copied) + nested(second);
    }

    /**
     * Returns the number of nested elements, which consumers of the value visit. Shared elements are counted each time, up to the limit of an
     * expression.
     */
    static long nested(@Nullable Object value) {
        return nested(value, CostBudget.EXPRESSION);
    }

    private static long nested(@Nullable Object value, long max) {
        long sum = 0;
        if (value instanceof Collection<?> list) {
            for (Object element : list) {
                sum += elements(element, max - sum);
                if (sum > max) {
                    return sum;
                }
            }
        } else if (value instanceof Map<?, ?> map) {
            return nested(map.values(), max);
        }
        return sum;
    }

    private static long elements(@Nullable Object value, long max) {
        if (value instanceof Optional<?> optional) {
            return elements(optional.orElse(null), max);
        }
        long own = value instanceof Collection<?> || value instanceof Map<?, ?> ? size(value) : 0;
        return own == 0 || own > max ? own : own + nested(value, max - own);
    }

    /** Returns the memory of the result of a call of this cost, in bytes; 0 if it is not larger than its parts. */
    static long memory(String function, long cost, @Nullable Object first) {
        return switch (function) {
            case "split", "findAll" -> PART * size(first);
            case "_+_", "replace", "join", "format", "strings.quote", "lowerAscii", "upperAscii", "lists.range" ->
                CHARACTERS * cost;
            default -> 0;
        };
    }

    private static long replaced(long size, long old, long now) {
        long count = old == 0 ? size + 1 : size / old;
        return read(size + count * now);
    }

    private static long joined(@Nullable Object list, @Nullable Object separator) {
        long length = 0;
        if (list instanceof Collection<?> parts) {
            for (Object part : parts) {
                length += size(part) + (separator == null ? 0 : size(separator));
            }
        }
        return length;
    }

    private static long traversal(@Nullable Object value) {
        return switch (value) {
            case String text -> text.length() / 10;
            case CelByteString bytes -> bytes.size() / 10;
            case Collection<?> list ->
                list.stream().mapToLong(CallCost::traversal).sum();
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .mapToLong(entry -> traversal(entry.getKey()) + traversal(entry.getValue()))
                        .sum();
            case Optional<?> optional -> traversal(optional.orElse(null));
            // Without an exponent, a number has up to 309 digits.
            case Double number when number != 0 -> 1 + Math.abs(Math.getExponent(number)) / 30;
            case null, default -> 1;
        };
    }
}
