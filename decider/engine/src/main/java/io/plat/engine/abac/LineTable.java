package io.plat.engine.abac;

import io.plat.engine.lookup.Frozen;
import io.plat.engine.lookup.PathTable;
import io.plat.review.ApiGroups;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one subject, compiled to find the first one that covers a request. A few lines, as most subjects have, are compared one by one. More
 * are indexed by resource, then namespace, then API group, each exact or any. At most eight lookups find the first line that covers a resource, and
 * only if lines with such combinations exist.
 */
final class LineTable {
    /** Position of no line, after all others. */
    static final int NONE = Integer.MAX_VALUE;

    /** Maximum number of lines that are compared one by one. */
    private static final int FEW = 4;

    private static final ExactOrAny<ExactOrAny<ExactOrAny<FirstLine>>> NO_RESOURCES = new ExactOrAny<>(Map.of(), null);
    private static final PathTable<FirstLine> NO_PATHS = PathTable.of(Map.of());

    /** The first line, for most subjects the only one; null if there are tables. */
    private final @Nullable AbacLine line;

    private final int position;
    private final List<Placed> others;
    private final ExactOrAny<ExactOrAny<ExactOrAny<FirstLine>>> resources;
    private final PathTable<FirstLine> paths;

    /**
     * A line and its position.
     *
     * @param position its position among the lines of the file, from 0
     */
    record Placed(int position, AbacLine line) {}

    private LineTable(
            List<Placed> few, ExactOrAny<ExactOrAny<ExactOrAny<FirstLine>>> resources, PathTable<FirstLine> paths) {
        this.line = few.isEmpty() ? null : few.getFirst().line();
        this.position = few.isEmpty() ? NONE : few.getFirst().position();
        this.others = few.size() < 2 ? List.of() : List.copyOf(few.subList(1, few.size()));
        this.resources = resources;
        this.paths = paths;
    }

    /** Returns the table of lines in the order of the file. */
    static LineTable of(List<Placed> lines) {
        if (lines.size() <= FEW) {
            return new LineTable(lines, NO_RESOURCES, NO_PATHS);
        }
        Map<String, Map<String, Map<String, FirstLine>>> resources = new HashMap<>();
        Map<String, FirstLine> paths = new HashMap<>();
        for (Placed placed : lines) {
            AbacLine line = placed.line();
            FirstLine first = FirstLine.of(placed.position(), line.readonly());
            if (!line.resource().isEmpty()) {
                resources
                        .computeIfAbsent(line.resource(), resource -> new HashMap<>())
                        .computeIfAbsent(line.namespace(), namespace -> new HashMap<>())
                        .merge(ApiGroups.canonical(line.apiGroup()), first, FirstLine::or);
            }
            if (!line.nonResourcePath().isEmpty()) {
                paths.merge(line.nonResourcePath(), first, FirstLine::or);
            }
        }
        return new LineTable(
                List.of(),
                ExactOrAny.of(
                        resources,
                        namespaces -> ExactOrAny.of(
                                namespaces, groups -> ExactOrAny.<FirstLine, FirstLine>of(groups, line -> line))),
                PathTable.of(paths));
    }

    /** Returns the position of the first line that covers a request, or {@link #NONE}. */
    int first(LineMismatches request) {
        if (line != null) {
            return request.ofAccess(line) == 0 ? position : firstLater(request);
        }
        return switch (request.access()) {
            case ResourceAttributes resource ->
                Math.min(
                        inNamespace(resources.exact().get(resource.resource()), resource, request),
                        inNamespace(resources.any(), resource, request));
            case NonResourceAttributes path -> onPath(path.path(), request.reads());
        };
    }

    private int firstLater(LineMismatches request) {
        for (int i = 0; i < others.size(); i++) {
            if (request.ofAccess(others.get(i).line) == 0) {
                return others.get(i).position;
            }
        }
        return NONE;
    }

    private static int inNamespace(
            @Nullable ExactOrAny<ExactOrAny<FirstLine>> table, ResourceAttributes resource, LineMismatches request) {
        return table == null
                ? NONE
                : Math.min(inGroup(table.exact().get(resource.namespace()), request), inGroup(table.any(), request));
    }

    private static int inGroup(@Nullable ExactOrAny<FirstLine> table, LineMismatches request) {
        return table == null
                ? NONE
                : Math.min(
                        covering(table.exact().get(request.apiGroup()), request.reads()),
                        covering(table.any(), request.reads()));
    }

    private int onPath(String path, boolean reads) {
        int first = NONE;
        for (FirstLine covering : paths.covering(path)) {
            first = Math.min(first, covering(covering, reads));
        }
        return first;
    }

    /** Returns the position of the first line that covers a reading or writing verb. */
    private static int covering(@Nullable FirstLine line, boolean reads) {
        if (line == null) {
            return NONE;
        }
        return reads ? Math.min(line.unlimited, line.readonly) : line.unlimited;
    }

    /**
     * The first lines of one key: without and with {@code readonly}.
     *
     * @param unlimited the position of the first line without {@code readonly}, or {@link #NONE}
     * @param readonly the position of the first line with it, or {@link #NONE}
     */
    private record FirstLine(int unlimited, int readonly) {
        static FirstLine of(int position, boolean readonly) {
            return readonly ? new FirstLine(NONE, position) : new FirstLine(position, NONE);
        }

        FirstLine or(FirstLine other) {
            return new FirstLine(Math.min(unlimited, other.unlimited), Math.min(readonly, other.readonly));
        }
    }

    /**
     * An index of one attribute.
     *
     * @param exact by value
     * @param any for {@code *}, or null if no line has it
     */
    private record ExactOrAny<T>(
            Map<String, T> exact, @Nullable T any) {
        static <S, T> ExactOrAny<T> of(Map<String, S> parts, Function<? super S, ? extends T> compile) {
            Map<String, T> exact = new HashMap<>();
            parts.forEach((value, part) -> exact.put(value, compile.apply(part)));
            T any = exact.remove(AbacLine.ANY);
            return new ExactOrAny<>(Frozen.copyOf(exact), any);
        }
    }
}
