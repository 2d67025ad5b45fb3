package io.plat.engine.access;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Text of a row of accesses. */
record RowText(AccessRow.Columns kept, AccessRow.Columns except) {
    private static final int MAX_NAMESPACES = 8;
    private static final List<String> ALL = List.of("*");

    static String of(AccessRow row) {
        return new RowText(row.kept(), row.except()).text();
    }

    private String text() {
        String verbs = listed("every verb", kept.verbs(), except.verbs())
                + (kept.verbs().equals(ALL) ? " on" : "");
        if (!kept.nonResourceUrls().isEmpty()) {
            return verbs + " " + listed("every path", kept.nonResourceUrls(), except.nonResourceUrls());
        }
        return verbs + " " + resources() + names() + " " + namespaces();
    }

    private String resources() {
        String resources = listed("everything", kept.resources(), except.resources());
        boolean anyGroup = kept.apiGroups().equals(ALL) && except.apiGroups().isEmpty();
        if (anyGroup) {
            return kept.resources().equals(ALL) ? resources : resources + " of every API group";
        }
        if (kept.apiGroups().equals(List.of(""))) {
            return kept.resources().equals(ALL) ? resources + " of the core group" : resources;
        }
        return resources + " of " + listed("every API group", groups(kept), groups(except));
    }

    private static List<String> groups(AccessRow.Columns columns) {
        return columns.apiGroups().stream()
                .map(group -> group.isEmpty() ? "the core group" : group)
                .toList();
    }

    private String names() {
        if (!kept.resourceNames().isEmpty()) {
            return " named " + listed("", kept.resourceNames(), List.of());
        }
        return except.resourceNames().isEmpty()
                ? ""
                : " except those named " + listed("", except.resourceNames(), List.of());
    }

    private String namespaces() {
        List<String> namespaces = kept.namespaces();
        if (namespaces.equals(ALL)) {
            return except.namespaces().isEmpty()
                    ? "everywhere"
                    : "everywhere except in " + listedNamespaces(except.namespaces());
        }
        return namespaces.equals(List.of("")) ? "outside of namespaces" : "in " + listedNamespaces(namespaces);
    }

    private static String listedNamespaces(List<String> namespaces) {
        List<String> shown = new ArrayList<>();
        for (String namespace : namespaces.subList(0, Math.min(MAX_NAMESPACES, namespaces.size()))) {
            shown.add(namespace.isEmpty() ? "no namespace" : namespace);
        }
        int more = namespaces.size() - shown.size();
        return String.join(", ", shown) + (more == 0 ? "" : " and " + more + " more namespaces");
    }

    private static String listed(String all, List<String> kept, List<String> except) {
        String text = kept.equals(ALL) && !all.isEmpty()
                ? all
                : kept.stream().map(RowText::word).collect(Collectors.joining(", "));
        return except.isEmpty()
                ? text
                : text + " but " + except.stream().map(RowText::word).collect(Collectors.joining(", "));
    }

    private static String word(String value) {
        return value.isEmpty() ? "\"\"" : value;
    }
}
