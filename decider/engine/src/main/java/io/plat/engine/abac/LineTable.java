package io.plat.engine.abac;

import io.plat.engine.lookup.PathTable;
import io.plat.review.ApiGroups;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one subject, compiled for finding the first that covers a request. A few, as most subjects have, are compared one by one.
 * More are kept by what they cover: resource, then namespace, then API group, each exact or any. At most eight lookups find the first
 * line that covers a resource, and only where lines with such combinations exist.
 */
final class LineTable {
    /** So many are compared one by one. */
    private static final int FEW = 4;

    private static final ExactOrAny<ExactOrAny<ExactOrAny<FirstLine>>> NO_RESOURCES = new ExactOrAny<>(Map.of(), null);
    private static final PathTable<FirstLine> NO_PATHS = PathTable.empty();

    private final Placed[] few;
    private final ExactOrAny<ExactOrAny<ExactOrAny<FirstLine>>> resources;
    private final PathTable<FirstLine> paths;

    /**
     * A line and where it stands.
     *
     * @param position its position among the lines of the file, from 0
     */
    record Placed(int position, AbacLine line) {}

    private LineTable(
            Placed[] few, ExactOrAny<ExactOrAny<ExactOrAny<FirstLine>>> resources, PathTable<FirstLine> paths) {
        this.few = few;
        this.resources = resources;
        this.paths = paths;
    }

    /** The table of some lines, in the order of the file. */
    static LineTable of(List<Placed> lines) {
        if (lines.size() <= FEW) {
            return new LineTable(lines.toArray(Placed[]::new), NO_RESOURCES, NO_PATHS);
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
                new Placed[0],
                ExactOrAny.of(
                        resources,
                        namespaces -> ExactOrAny.of(
                                namespaces, groups -> ExactOrAny.<FirstLine, FirstLine>of(groups, line -> line))),
                PathTable.of(paths));
    }

    /** The position of the first line that covers a request, or {@link FirstLine#NONE}. */
    int first(LineGaps request) {
        for (Placed placed : few) {
            if (request.ofAccess(placed.line) == 0) {
                return placed.position;
            }
        }
        return switch (request.access()) {
            case ResourceAttributes resource ->
                Math.min(
                        inNamespace(resources.exact().get(resource.resource()), resource, request),
                        inNamespace(resources.any(), resource, request));
            case NonResourceAttributes path -> onPath(path.path(), request.reads());
        };
    }

    private static int inNamespace(
            @Nullable ExactOrAny<ExactOrAny<FirstLine>> table, ResourceAttributes resource, LineGaps request) {
        return table == null
                ? FirstLine.NONE
                : Math.min(inGroup(table.exact().get(resource.namespace()), request), inGroup(table.any(), request));
    }

    private static int inGroup(@Nullable ExactOrAny<FirstLine> table, LineGaps request) {
        return table == null
                ? FirstLine.NONE
                : Math.min(
                        covering(table.exact().get(request.apiGroup()), request.reads()),
                        covering(table.any(), request.reads()));
    }

    private int onPath(String path, boolean reads) {
        int first = covering(paths.exact(path), reads);
        for (int prefix = paths.longest(path); prefix >= 0; prefix = paths.shorter(prefix)) {
            first = Math.min(first, covering(paths.value(prefix), reads));
        }
        return first;
    }

    private static int covering(@Nullable FirstLine line, boolean reads) {
        return line == null ? FirstLine.NONE : line.covering(reads);
    }
}
