package io.plat.cli.question;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Resources that servers check besides the types that they serve: impersonated subjects, and signers of certificates. None of them is
 * namespaced, except for service accounts, which are served.
 */
final class CheckedTypes {
    private static final String AUTHENTICATION = "authentication.k8s.io";
    private static final List<ResourceType> IMPERSONATED = List.of(
            type("users", "", "User"),
            type("groups", "", "Group"),
            type("uids", AUTHENTICATION, "UID"),
            type("userextras", AUTHENTICATION, "UserExtra"));
    private static final List<ResourceType> SIGNERS = List.of(type("signers", "certificates.k8s.io", "Signer"));

    private CheckedTypes() {}

    private static ResourceType type(String resource, String group, String kind) {
        return new ResourceType(
                resource, group, false, kind, resource.substring(0, resource.length() - 1), Set.of(), Set.of());
    }

    /**
     * Returns the type of a word after a verb with such checks.
     *
     * @param group the given group; null for none
     */
    static Optional<ResourceType> find(String verb, String word, @Nullable String group) {
        List<ResourceType> types = switch (verb) {
            case "impersonate" -> IMPERSONATED;
            case "approve", "attest", "sign" -> SIGNERS;
            default -> List.of();
        };
        return types.stream()
                .filter(type -> type.isCalled(word) && (group == null || group.equals(type.group())))
                .findFirst();
    }
}
