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
 * Many lines of one subject by what they cover: resource, then namespace, then API group, each exact or any. At most eight lookups
 * find the first line that covers a resource, and only where lines with such combinations exist.
 */
final class LineTable implements Lines {
    private final ExactOrAny<ExactOrAny<ExactOrAny<FirstLine>>> resources;
    private final PathTable<FirstLine> paths;

    private LineTable(ExactOrAny<ExactOrAny<ExactOrAny<FirstLine>>> resources, PathTable<FirstLine> paths) {
        this.resources = resources;
        this.paths = paths;
    }

    @Override
    public int first(ResourceAttributes request, String apiGroup, boolean reads) {
        return Math.min(
                inNamespace(resources.exact().get(request.resource()), request, apiGroup, reads),
                inNamespace(resources.any(), request, apiGroup, reads));
    }

    private static int inNamespace(
            @Nullable ExactOrAny<ExactOrAny<FirstLine>> table,
            ResourceAttributes request,
            String apiGroup,
            boolean reads) {
        if (table == null) {
            return FirstLine.NONE;
        }
        return Math.min(
                inGroup(table.exact().get(request.namespace()), apiGroup, reads),
                inGroup(table.any(), apiGroup, reads));
    }

    private static int inGroup(@Nullable ExactOrAny<FirstLine> table, String apiGroup, boolean reads) {
        if (table == null) {
            return FirstLine.NONE;
        }
        return Math.min(covering(table.exact().get(apiGroup), reads), covering(table.any(), reads));
    }

    @Override
    public int first(NonResourceAttributes request, boolean reads) {
        int first = covering(paths.exact(request.path()), reads);
        int prefix = paths.longest(request.path());
        while (prefix >= 0) {
            first = Math.min(first, covering(paths.value(prefix), reads));
            prefix = paths.shorter(prefix);
        }
        return first;
    }

    private static int covering(@Nullable FirstLine line, boolean reads) {
        return line == null ? FirstLine.NONE : line.covering(reads);
    }

    /** The table of these lines. */
    static LineTable of(List<PlacedLine> lines) {
        Map<String, Map<String, Map<String, FirstLine>>> resources = new HashMap<>();
        Map<String, FirstLine> paths = new HashMap<>();
        for (PlacedLine placed : lines) {
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
                ExactOrAny.of(
                        resources,
                        namespaces -> ExactOrAny.of(
                                namespaces, groups -> ExactOrAny.<FirstLine, FirstLine>of(groups, line -> line))),
                PathTable.of(paths));
    }
}
