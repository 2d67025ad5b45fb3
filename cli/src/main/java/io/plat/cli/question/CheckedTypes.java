package io.plat.cli.question;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What servers check besides the types that they serve: whom a request impersonates, and for whom a certificate is signed. None of it is
 * in a namespace, but for service accounts, which are served.
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
     * What a word means behind a verb that is checked so.
     *
     * @param group the group that was typed with it; null for none
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
