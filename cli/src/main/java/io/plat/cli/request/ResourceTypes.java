package io.plat.cli.request;

import io.plat.cli.process.ResourceText;
import io.plat.review.ApiGroups;
import io.plat.review.ResourceAttributes;
import io.plat.review.source.NearestName;
import io.plat.review.source.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The built-in resource types, so that {@code deploy} means {@code deployments.apps} without a server. The table is a resource file in the order
 * of discovery: if two groups share a name, the first row applies.
 */
public final class ResourceTypes {
    private static final int COLUMNS = 7;
    private static final ResourceTypes BUILT_IN = read();

    private final List<ApiResource> types;

    ResourceTypes(List<ApiResource> types) {
        this.types = List.copyOf(types);
    }

    /** Returns the types that every Kubernetes server has. */
    public static ResourceTypes builtIn() {
        return BUILT_IN;
    }

    private static ResourceTypes read() {
        List<ApiResource> types = new ArrayList<>();
        for (String line : ResourceText.read("resource-types.tsv").split("\n", -1)) {
            if (!line.isEmpty() && !line.startsWith("#")) {
                types.add(row(line.split("\t", COLUMNS)));
            }
        }
        return new ResourceTypes(types);
    }

    private static ApiResource row(String[] columns) {
        return new ApiResource(
                columns[0],
                columns[1],
                columns[2].equals("namespaced"),
                columns[3],
                columns[4],
                set(columns[5]),
                set(columns[6]));
    }

    private static Set<String> set(String column) {
        return column.isEmpty() ? Set.of() : Set.of(column.split(","));
    }

    /** Returns all types, in the order of discovery. */
    public List<ApiResource> all() {
        return types;
    }

    /** Returns a warning about an unknown resource, in a list. */
    public List<String> problem(ResourceAttributes access) {
        String resource = access.resource();
        return resource.equals("*")
                        || names().contains(resource)
                        || CheckedTypes.find(access.verb(), resource, null).isPresent()
                ? List.of()
                : List.of(unknown(resource));
    }

    String unknown(String word) {
        return "unknown resource type " + Quoted.of(word) + NearestName.suggestion(word, names());
    }

    private List<String> names() {
        return types.stream().map(ApiResource::resource).distinct().toList();
    }

    /** Returns the type with this resource, kind, singular or short name. */
    public Optional<ApiResource> find(String word) {
        return types.stream().filter(type -> type.isNamed(word)).findFirst();
    }

    /** Returns the type with this name in a group or its alias. */
    public Optional<ApiResource> find(String word, String group) {
        String canonical = ApiGroups.canonical(group);
        return types.stream()
                .filter(type -> type.group().equals(canonical) && type.isNamed(word))
                .findFirst();
    }

    /**
     * Resources of additional checks that are not served: impersonated subjects, and signers of certificates. None is namespaced, except
     * for service accounts, which are served.
     */
    static final class CheckedTypes {
        private static final String AUTHENTICATION = "authentication.k8s.io";
        private static final List<ApiResource> IMPERSONATED = List.of(
                type("users", "", "User"),
                type("groups", "", "Group"),
                type("uids", AUTHENTICATION, "UID"),
                type("userextras", AUTHENTICATION, "UserExtra"));
        private static final List<ApiResource> SIGNERS = List.of(type("signers", "certificates.k8s.io", "Signer"));

        private CheckedTypes() {}

        private static ApiResource type(String resource, String group, String kind) {
            return new ApiResource(
                    resource, group, false, kind, resource.substring(0, resource.length() - 1), Set.of(), Set.of());
        }

        /**
         * Returns the type of a word after a verb with such checks.
         *
         * @param group the given group; null for none
         */
        static Optional<ApiResource> find(String verb, String word, @Nullable String group) {
            List<ApiResource> types = switch (verb) {
                case "impersonate" -> IMPERSONATED;
                case "approve", "attest", "sign" -> SIGNERS;
                default -> List.of();
            };
            return types.stream()
                    .filter(type -> type.isNamed(word) && (group == null || group.equals(type.group())))
                    .findFirst();
        }
    }

    /** Additional resource types, such as those of custom resource definitions. Looked up on demand. */
    public interface AdditionalTypes {
        AdditionalTypes NONE = group -> List.of();

        /**
         * Returns the types of a group, or all.
         *
         * @param group the API group, null for every group
         */
        List<ApiResource> types(@Nullable String group);

        /** Returns the type with this name. */
        default Optional<ApiResource> find(String word, @Nullable String group) {
            return types(group).stream().filter(type -> type.isNamed(word)).findFirst();
        }
    }
}
