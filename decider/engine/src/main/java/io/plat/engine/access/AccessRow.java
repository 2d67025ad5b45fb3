package io.plat.engine.access;

import io.plat.engine.access.Box.Side;
import io.plat.review.ResourceAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * A part of a set of accesses in the form of a rule: every verb on every combination of the rest, with exceptions. A star means all values; only
 * columns with a star have exceptions.
 *
 * @param kept the included values
 * @param except the excluded values
 */
public record AccessRow(Columns kept, Columns except) {
    private static final String ALL = "*";

    /**
     * Values by attribute.
     *
     * @param verbs request verbs
     * @param apiGroups API groups, {@code ""} the core group; empty for paths
     * @param resources such as {@code pods} or {@code pods/log}; {@code *}{@code /log} for that of every resource, {@code pods/*} for
     *     every subresource of one; empty for paths
     * @param resourceNames names of objects; empty for all, {@code ""} for a request without a name
     * @param nonResourceUrls path patterns; empty for resources
     * @param namespaces namespaces, {@code *} for all and for none, {@code ""} for none; empty for paths
     */
    public record Columns(
            List<String> verbs,
            List<String> apiGroups,
            List<String> resources,
            List<String> resourceNames,
            List<String> nonResourceUrls,
            List<String> namespaces) {
        public Columns {
            verbs = List.copyOf(verbs);
            apiGroups = List.copyOf(apiGroups);
            resources = List.copyOf(resources);
            resourceNames = List.copyOf(resourceNames);
            nonResourceUrls = List.copyOf(nonResourceUrls);
            namespaces = List.copyOf(namespaces);
        }

        /** Returns whether there are no values. */
        public boolean isEmpty() {
            return size() == 0;
        }

        int size() {
            return byField().values().stream().mapToInt(List::size).sum();
        }

        /** Returns the columns by the names of their response fields, in order. */
        SequencedMap<String, List<String>> byField() {
            SequencedMap<String, List<String>> fields = new LinkedHashMap<>();
            fields.put("verbs", verbs);
            fields.put("apiGroups", apiGroups);
            fields.put("resources", resources);
            fields.put("resourceNames", resourceNames);
            fields.put("nonResourceURLs", nonResourceUrls);
            fields.put("namespaces", namespaces);
            return fields;
        }
    }

    static AccessRow onPaths(Values verbs, PathSet.Part part) {
        List<String> none = List.of();
        return new AccessRow(
                new Columns(kept(verbs), none, none, none, part.patterns(), none),
                new Columns(except(verbs), none, none, none, part.except(), none));
    }

    static AccessRow onResources(Box box) {
        Values apiGroups = box.side(Side.API_GROUPS);
        Values resources = box.side(Side.RESOURCES);
        Values subresources = box.side(Side.SUBRESOURCES);
        Values verbs = box.side(Side.VERBS);
        Values names = box.side(Side.NAMES);
        List<String> none = List.of();
        return new AccessRow(
                new Columns(
                        kept(verbs),
                        kept(apiGroups),
                        resources(resources, subresources),
                        names.isWide() ? none : names.listed(),
                        none,
                        kept(box.side(Side.NAMESPACES))),
                new Columns(
                        except(verbs),
                        except(apiGroups),
                        exceptResources(resources, subresources),
                        except(names),
                        none,
                        except(box.side(Side.NAMESPACES))));
    }

    private static List<String> kept(Values values) {
        return values.isWide() ? List.of(ALL) : values.listed();
    }

    private static List<String> except(Values values) {
        return values.isWide() ? values.listed() : List.of();
    }

    private static List<String> resources(Values resources, Values subresources) {
        List<String> written = new ArrayList<>();
        for (String resource : kept(resources)) {
            if (!subresources.isWide()) {
                for (String subresource : subresources.listed()) {
                    written.add(ResourceAttributes.written(resource, subresource));
                }
            } else if (resources.isWide()) {
                written.add(subresources.contains("") ? resource : resource + "/*");
            } else {
                if (subresources.contains("")) {
                    written.add(resource);
                }
                written.add(resource + "/*");
            }
        }
        return written;
    }

    private static List<String> exceptResources(Values resources, Values subresources) {
        List<String> written = new ArrayList<>();
        for (String resource : except(resources)) {
            written.add(resource);
            written.add(resource + "/*");
        }
        if (subresources.isWide()) {
            for (String resource : kept(resources)) {
                for (String subresource : subresources.listed()) {
                    if (!subresource.isEmpty()) {
                        written.add(ResourceAttributes.written(resource, subresource));
                    }
                }
            }
        } else if (resources.isWide() && subresources.contains("")) {
            written.add("*/*");
        }
        return written;
    }

    /** Returns the number of values in all columns, in which exceptions count twice. */
    public int size() {
        return kept.size() + 2 * except.size();
    }

    /** Returns the row in words, without the subject. */
    public String text() {
        return RowText.of(this);
    }

    @Override
    public String toString() {
        return text();
    }
}
