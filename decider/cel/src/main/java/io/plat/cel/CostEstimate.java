package io.plat.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Worst-case cost of an expression in Kubernetes' units: every value has the largest size that its schema allows, every loop runs all of
 * its steps. The estimate is part of the API, as it decides which rules a definition may have; its oddities are Kubernetes'. For one
 * expression and one thread.
 */
public final class CostEstimate {
    /** Cost or size that exceeds the representable range. */
    static final long UNBOUNDED = Long.MAX_VALUE;

    static final String ITEMS = "@items";
    static final String VALUES = "@values";
    static final String KEYS = "@keys";

    private static final Size ONE = new Size(1, 1);
    private static final Size UNKNOWN = new Size(0, UNBOUNDED);

    private final CelAbstractSyntaxTree tree;
    private final DeclaredSize root;
    private final Map<Long, SchemaLocation> locations = new HashMap<>();
    private final Map<Long, Size> sizes = new HashMap<>();
    private final Map<Long, Entries> entries = new HashMap<>();

    /** Loop variables by name. */
    private final Map<String, Local> locals = new HashMap<>();

    private CostEstimate(CelAbstractSyntaxTree tree, DeclaredSize root) {
        this.tree = tree;
        this.root = root;
    }

    /** Smallest and largest size of a value. */
    private record Size(long min, long max) {
        Size or(Size other) {
            return new Size(Math.min(min, other.min), Math.max(max, other.max));
        }

        Size plus(Size other) {
            return new Size(sum(min, other.min), sum(max, other.max));
        }

        Size times(Size other) {
            return new Size(product(min, other.min), product(max, other.max));
        }
    }

    /** Sizes of the entries of a list or map. */
    private record Entries(boolean list, Size key, Size value) {}

    /** Place in the schema; if unknown, nothing is declared there. */
    private record SchemaLocation(@Nullable DeclaredSize declared) {}

    private record Local(
            @Nullable SchemaLocation location,
            @Nullable Size size,
            @Nullable Entries entries) {}

    /** Returns the estimate for a checked expression on values of these sizes. */
    public static long of(CelAbstractSyntaxTree tree, DeclaredSize root) {
        return new CostEstimate(tree, root).cost(tree.getExpr());
    }

    public static long sum(long one, long other) {
        return one > UNBOUNDED - other ? UNBOUNDED : one + other;
    }

    public static long product(long one, long other) {
        return other != 0 && one > UNBOUNDED / other ? UNBOUNDED : one * other;
    }

    private long cost(CelExpr node) {
        return switch (node.getKind()) {
            case IDENT -> {
                @Nullable Local local = locals.get(node.ident().name());
                location(node, local == null ? new SchemaLocation(root) : local.location());
                yield 1;
            }
            case SELECT -> select(node);
            case CALL -> call(node);
            case LIST -> {
                List<CelExpr> all = node.list().elements();
                long cost = all.stream().mapToLong(this::cost).reduce(10, CostEstimate::sum);
                entries.put(node.id(), new Entries(true, ONE, union(all)));
                yield cost;
            }
            case MAP -> {
                var pairs = node.map().entries();
                long cost = pairs.stream()
                        .mapToLong(pair -> sum(cost(pair.key()), cost(pair.value())))
                        .reduce(30, CostEstimate::sum);
                Size keys = union(pairs.stream().map(pair -> pair.key()).toList());
                Size values = union(pairs.stream().map(pair -> pair.value()).toList());
                entries.put(node.id(), new Entries(false, keys, values));
                yield cost;
            }
            case STRUCT ->
                node.struct().entries().stream()
                        .mapToLong(entry -> cost(entry.value()))
                        .reduce(40, CostEstimate::sum);
            case COMPREHENSION -> comprehension(node, node.comprehension());
            case CONSTANT, NOT_SET -> 0;
        };
    }

    private Size union(List<CelExpr> all) {
        return all.stream().map(this::sizeOrUnknown).reduce(Size::or).orElse(new Size(0, 0));
    }

    private long select(CelExpr node) {
        CelExpr operand = node.select().operand();
        long cost = cost(operand);
        if (node.select().testOnly()) {
            return cost;
        }
        location(node, step(locationOf(operand), node.select().field()));
        CelKind kind = type(operand).kind();
        boolean costs = kind == CelKind.MAP || kind == CelKind.STRUCT || kind == CelKind.TYPE_PARAM;
        return costs ? sum(cost, 1) : cost;
    }

    private long comprehension(CelExpr node, CelExpr.CelComprehension loop) {
        CelExpr range = loop.iterRange();
        long cost = sum(cost(range), cost(loop.accuInit()));
        var accumulator = new Local(locationOf(loop.accuInit()), size(loop.accuInit()), entries(loop.accuInit()));
        if (isBinding(loop)) {
            long result = within(loop.accuVar(), accumulator, () -> cost(loop.result()));
            remember(node, size(loop.result()), entries(loop.result()));
            return sum(cost, result);
        }
        return within(loop.accuVar(), accumulator, () -> {
            boolean two = !loop.iterVar2().isEmpty();
            long step = within(
                    loop.iterVar(),
                    variable(range, !two && isList(range)),
                    () -> two ? within(loop.iterVar2(), variable(range, true), () -> step(loop)) : step(loop));
            long result = cost(loop.result());
            Size times = sizeOrUnknown(range);
            switch (loop.accuInit().getKind()) {
                case CONSTANT -> remember(node, size(loop.accuInit()), null);
                case LIST, MAP -> remember(node, times, entries(loop.loopStep()));
                default -> {}
            }
            return sum(sum(cost, result), product(times.max(), step));
        });
    }

    private long step(CelExpr.CelComprehension loop) {
        return sum(cost(loop.loopCondition()), cost(loop.loopStep()));
    }

    /** Returns whether a comprehension only binds a variable, without looping. */
    private static boolean isBinding(CelExpr.CelComprehension loop) {
        CelExpr condition = loop.loopCondition();
        return loop.iterRange().getKind() == CelExpr.ExprKind.Kind.LIST
                && loop.iterRange().list().elements().isEmpty()
                && condition.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                && condition.constant().getKind() == CelConstant.Kind.BOOLEAN_VALUE
                && !condition.constant().booleanValue();
    }

    private Local variable(CelExpr range, boolean value) {
        @Nullable Entries known = entries(range);
        String step = isList(range) ? (value ? ITEMS : "@indices") : value ? VALUES : KEYS;
        @Nullable Size size = known == null ? null : value ? known.value() : known.key();
        return new Local(step(locationOf(range), step), size, null);
    }

    private boolean isList(CelExpr range) {
        @Nullable Entries known = entries(range);
        return known == null ? type(range).kind() == CelKind.LIST : known.list();
    }

    private long within(String name, Local local, LongSupplier body) {
        @Nullable Local outer = locals.put(name, local);
        long cost = body.getAsLong();
        locals.remove(name);
        if (outer != null) {
            locals.put(name, outer);
        }
        return cost;
    }

    private long call(CelExpr node) {
        List<CelExpr> args = node.call().args();
        String function = node.call().function();
        long[] costs = args.stream().mapToLong(this::cost).toArray();
        if (function.equals("dyn")) {
            remember(node, size(args.getFirst()), entries(args.getFirst()));
            return sum(1, costs[0]);
        }
        List<String> overloads = tree.getReference(node.id())
                .<List<String>>map(CelReference::overloadIds)
                .orElse(List.of());
        long before = node.call().target().map(this::cost).orElse(0L);
        if (function.equals("_?_:_")) {
            before = sum(costs[0], Math.max(costs[1], costs[2]));
        } else {
            for (long cost : costs) {
                before = sum(before, cost);
            }
        }
        long max = 0;
        @Nullable Size result = null;
        for (String overload : overloads) {
            Outcome outcome = outcome(node, overload);
            max = Math.max(max, outcome.cost());
            @Nullable Size size = outcome.size();
            result = size == null ? result : result == null ? size : result.or(size);
            if (overload.equals("index_list") || overload.equals("index_map")) {
                @Nullable Entries known = entries(args.getFirst());
                result = known == null ? null : known.value();
                location(node, step(locationOf(args.getFirst()), overload.equals("index_list") ? ITEMS : VALUES));
            }
            result = result == null ? size(node) : result;
        }
        remember(node, result, null);
        return sum(before, max);
    }

    /** Cost of a call without its operands, and the size of its result if it follows from the operands. */
    private record Outcome(long cost, @Nullable Size size) {}

    private Outcome outcome(CelExpr node, String overload) {
        String function = node.call().function();
        boolean member = node.call().target().isPresent();
        List<CelExpr> operands = MeteredProgram.operands(node);
        Size first = operands.isEmpty() ? UNKNOWN : sizeOrUnknown(operands.getFirst());
        long known = CallCost.bySize(function, index -> measured(function, operands.get(index)));
        boolean text = overload.endsWith("_string") || overload.endsWith("_bytes");
        return switch (function) {
            case "_&&_", "_||_" -> new Outcome(0, null);
            case "_?_:_" -> {
                unite(node, operands.get(1), operands.get(2));
                yield new Outcome(0, sizeOrUnknown(operands.get(1)).or(sizeOrUnknown(operands.get(2))));
            }
            case "_+_" -> {
                Size both = first.plus(sizeOrUnknown(operands.getLast()));
                unite(node, operands.getFirst(), operands.getLast());
                yield overload.equals("add_list")
                        ? new Outcome(1, both)
                        : overload.startsWith("add_") && text
                                ? new Outcome(CallCost.read(both.max()), both)
                                : new Outcome(1, null);
            }
            case "_<_", "_<=_", "_>_", "_>=_" -> new Outcome(text ? known : 1, null);
            case "_==_" -> new Outcome(isConstant(operands.getFirst(), operands.getLast()) ? 1 : known, null);
            case "@in" -> new Outcome(overload.equals("in_list") ? known : 1, null);
            case "string" ->
                overload.equals("bytes_to_string")
                        ? new Outcome(known, new Size(first.min() / 4, first.max()))
                        : new Outcome(1, null);
            case "bytes" ->
                overload.equals("string_to_bytes")
                        ? new Outcome(known, new Size(first.min(), product(first.max(), 4)))
                        : new Outcome(1, null);
            case "strings.quote" -> new Outcome(known, new Size(sum(first.min(), 2), sum(product(first.max(), 2), 2)));
            case "url", "jsonpatch.escapeKey", "lowerAscii", "upperAscii", "substring", "trim" ->
                new Outcome(known, first);
            case "replace" ->
                new Outcome(known, replaced(first, sizeOrUnknown(operands.get(1)), sizeOrUnknown(operands.get(2))));
            case "split" -> {
                boolean limited = operands.size() > 2 && isNumber(operands.get(2));
                long max = limited ? operands.get(2).constant().int64Value() : first.max();
                yield new Outcome(known, new Size(0, max < 0 ? UNBOUNDED : max));
            }
            case "find", "findAll" -> new Outcome(known, new Size(0, first.max()));
            // The function, unlike the method, has no cost itself, nor has the address of a network.
            case "matches" -> new Outcome(member ? known : 1, null);
            case "ip" -> new Outcome(member ? 1 : known, null);
            case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" ->
                new Outcome(member ? traversal(operands.getFirst()) : 1, null);
            case "join" -> {
                Size separators = new Size(Math.max(first.min() - 1, 0), Math.max(first.max() - 1, 0));
                Size joined = first.times(elementSize(operands.getFirst()));
                joined = operands.size() > 1
                        ? joined.plus(sizeOrUnknown(operands.get(1)).times(separators))
                        : joined;
                yield new Outcome(CallCost.read(joined.max()), joined);
            }
            case "distinct" -> list(2, first.times(first));
            case "sort", "lists.@sortByAssociatedKeys" ->
                list(isText(element(operands.getFirst())) ? 2 + CallCost.READ : 2, first.times(first));
            case "reverse" -> list(1, first);
            case "flatten" -> list(operands.size() > 1 ? (double) number(operands.get(1), UNBOUNDED) : 1, first);
            case "slice" -> list(1, exactly(number(operands.getLast(), first.max()) - number(operands.get(1), 0)));
            case "lists.range" -> list(1, exactly(number(operands.getFirst(), UNBOUNDED)));
            default -> new Outcome(known, null);
        };
    }

    private static Outcome list(double factor, Size size) {
        return new Outcome(sum(CallCost.scaled(size.max(), factor), 11), size);
    }

    /** Returns the size that determines the cost of a call: for addresses and networks only that of strings, which are parsed. */
    private long measured(String function, CelExpr operand) {
        boolean parses = function.equals("containsIP") || function.equals("containsCIDR");
        return parses && !isText(type(operand)) ? 0 : sizeOrUnknown(operand).max();
    }

    private boolean isConstant(CelExpr one, CelExpr other) {
        CelType type = type(one);
        return type.kind() == CelKind.OPAQUE && type.equals(type(other)) && !(type instanceof OptionalType);
    }

    private long traversal(CelExpr value) {
        long size = sizeOrUnknown(value).max();
        @Nullable CelType element = element(value);
        return element == null
                ? CallCost.read(size)
                : product(
                        size,
                        isText(element)
                                ? sum(1, CallCost.read(elementSize(value).max()))
                                : 1);
    }

    private static boolean isText(@Nullable CelType type) {
        return type != null && (type.kind() == CelKind.STRING || type.kind() == CelKind.BYTES);
    }

    private @Nullable CelType element(CelExpr list) {
        return type(list).parameters().isEmpty()
                ? null
                : type(list).parameters().getFirst();
    }

    private Size elementSize(CelExpr list) {
        @Nullable SchemaLocation location = locationOf(list);
        @Nullable DeclaredSize declared = location == null ? null : at(location, ITEMS);
        return declared == null ? UNKNOWN : new Size(0, declared.max());
    }

    /** Merges the entry sizes of two lists for a result that may come from either or both. */
    private void unite(CelExpr node, CelExpr one, CelExpr other) {
        @Nullable Entries first = entries(one);
        @Nullable Entries second = entries(other);
        if (first != null && second != null) {
            Size key = first.key().or(second.key());
            remember(node, null, new Entries(first.list(), key, first.value().or(second.value())));
        }
    }

    private static Size replaced(Size text, Size old, Size with) {
        if (old.min() == 0) {
            return new Size(0, sum(product(sum(text.max(), 1), with.max()), text.max()));
        }
        return with.max() <= old.min()
                ? new Size(0, text.max())
                : new Size(0, product((long) Math.ceil((double) text.max() / old.min()), with.max()));
    }

    /** Returns a number literal; a negative one counts as none. */
    private static long number(CelExpr node, long otherwise) {
        return isNumber(node) ? Math.max(0, node.constant().int64Value()) : otherwise;
    }

    private static boolean isNumber(CelExpr node) {
        return node.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                && node.constant().getKind() == CelConstant.Kind.INT64_VALUE;
    }

    private void remember(CelExpr node, @Nullable Size size, @Nullable Entries known) {
        if (size != null) {
            sizes.put(node.id(), size);
        }
        if (known != null) {
            entries.put(node.id(), known);
        }
    }

    private CelType type(CelExpr node) {
        return tree.getType(node.id()).orElse(SimpleType.DYN);
    }

    private void location(CelExpr node, @Nullable SchemaLocation location) {
        if (location != null) {
            locations.put(node.id(), location);
        }
    }

    private @Nullable Local local(CelExpr node) {
        return node.getKind() == CelExpr.ExprKind.Kind.IDENT
                ? locals.get(node.ident().name())
                : null;
    }

    private @Nullable SchemaLocation locationOf(CelExpr node) {
        @Nullable Local local = local(node);
        return local == null ? locations.get(node.id()) : local.location();
    }

    /** Returns the place below a step; an unknown origin counts as the root, as its path has one step. */
    private SchemaLocation step(@Nullable SchemaLocation from, String step) {
        return new SchemaLocation(from == null ? root : at(from, step));
    }

    private static @Nullable DeclaredSize at(SchemaLocation location, String step) {
        return location.declared() == null ? null : location.declared().at(step);
    }

    private @Nullable Entries entries(CelExpr node) {
        @Nullable Entries known = entries.get(node.id());
        @Nullable Local local = local(node);
        return known != null || local == null ? known : local.entries();
    }

    private Size sizeOrUnknown(CelExpr node) {
        @Nullable Size size = size(node);
        return size == null ? UNKNOWN : size;
    }

    private @Nullable Size size(CelExpr node) {
        @Nullable Size known = sizes.get(node.id());
        if (known != null) {
            return known;
        }
        switch (node.getKind()) {
            case CONSTANT -> {
                return constant(node.constant());
            }
            case LIST -> {
                return exactly(node.list().elements().size());
            }
            case MAP -> {
                return exactly(node.map().entries().size());
            }
            default -> {}
        }
        @Nullable SchemaLocation location = locationOf(node);
        if (location != null && location.declared() != null) {
            return new Size(0, location.declared().max());
        }
        if (isScalar(type(node))) {
            return ONE;
        }
        @Nullable Local local = local(node);
        return local == null ? null : local.size();
    }

    /** Returns an exact size; one below zero wraps around in Kubernetes. */
    private static Size exactly(long size) {
        return size < 0 ? new Size(UNBOUNDED, UNBOUNDED) : new Size(size, size);
    }

    private static Size constant(CelConstant constant) {
        return switch (constant.getKind()) {
            case STRING_VALUE -> exactly(constant.stringValue().codePoints().count());
            case BYTES_VALUE -> exactly(constant.bytesValue().size());
            default -> ONE;
        };
    }

    private static boolean isScalar(CelType type) {
        return switch (type.kind()) {
            case BOOL, DOUBLE, DURATION, INT, TIMESTAMP, UINT -> true;
            default ->
                type instanceof OptionalType && isScalar(type.parameters().getFirst());
        };
    }
}
