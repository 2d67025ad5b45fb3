package io.plat.cli.question;

import io.plat.cli.process.ResourceText;
import io.plat.review.ApiGroups;
import io.plat.review.ResourceAttributes;
import io.plat.review.source.NearestName;
import io.plat.review.source.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The built-in resource types, so that {@code deploy} means {@code deployments.apps} without a server. The table is a resource file in the order
 * of discovery: if two groups share a name, the first row applies.
 */
public final class ResourceTypes {
    private static final int COLUMNS = 7;

    private final List<ResourceType> types;

    ResourceTypes(List<ResourceType> types) {
        this.types = List.copyOf(types);
    }

    /** The types that every server of the field has. */
    public static ResourceTypes builtIn() {
        List<ResourceType> types = new ArrayList<>();
        for (String line : ResourceText.read("resource-types.tsv").split("\n", -1)) {
            if (!line.isEmpty() && !line.startsWith("#")) {
                types.add(row(line.split("\t", COLUMNS)));
            }
        }
        return new ResourceTypes(types);
    }

    private static ResourceType row(String[] columns) {
        return new ResourceType(
                columns[0],
                columns[1],
                columns[2].equals("namespaced"),
                columns[3],
                columns[4],
                words(columns[5]),
                words(columns[6]));
    }

    private static Set<String> words(String column) {
        return column.isEmpty() ? Set.of() : Set.of(column.split(","));
    }

    /** All types, in the order of discovery. */
    public List<ResourceType> all() {
        return types;
    }

    /** A line about the resource of an access where it is none of these, in the plural, nor one that servers check besides; else none. */
    public List<String> problem(ResourceAttributes access) {
        String resource = access.resource();
        return resource.equals("*")
                        || names().contains(resource)
                        || CheckedTypes.find(access.verb(), resource, null).isPresent()
                ? List.of()
                : List.of(unknown(resource));
    }

    String unknown(String word) {
        return "the resource type " + Quoted.of(word) + " is not known" + NearestName.suggestion(word, names());
    }

    private List<String> names() {
        return types.stream().map(ResourceType::resource).distinct().toList();
    }

    /** The type that a bare word means: a resource, a kind, a singular or a short name. */
    public Optional<ResourceType> find(String word) {
        return types.stream().filter(type -> type.isCalled(word)).findFirst();
    }

    /** The type that a word means within a group, in either name of the group. */
    public Optional<ResourceType> find(String word, String group) {
        String canonical = ApiGroups.canonical(group);
        return types.stream()
                .filter(type -> type.group().equals(canonical) && type.isCalled(word))
                .findFirst();
    }
}
