package io.plat.cli.request;

import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.source.Quoted;
import java.util.stream.Collectors;

/** A request as text, as repeated in results, since the parsed request may not be the intended one. */
public final class AccessRequestText {
    private AccessRequestText() {}

    /** Returns the user with its groups. */
    public static String of(UserInfo user) {
        String groups = user.groups().stream().map(Quoted::name).collect(Collectors.joining(", "));
        return (user.name().isEmpty() ? "somebody" : Quoted.name(user.name()))
                + (groups.isEmpty() ? " (no groups)" : " (groups: " + groups + ")");
    }

    /** Returns the access, such as {@code list deployments.apps in namespace team-a}. */
    public static String of(AccessAttributes access) {
        return switch (access) {
            case NonResourceAttributes request -> Quoted.name(request.verb()) + " " + Quoted.name(request.path());
            case ResourceAttributes request -> Quoted.name(request.verb()) + " " + target(request) + location(request);
        };
    }

    /** Returns the resource or path, such as {@code pods/log "web-1"}. */
    public static String target(AccessAttributes access) {
        return switch (access) {
            case NonResourceAttributes request -> Quoted.name(request.path());
            case ResourceAttributes request -> target(request);
        };
    }

    private static String target(ResourceAttributes request) {
        String group = request.group().isEmpty() ? "" : "." + request.group();
        String subresource = request.subresource().isEmpty() ? "" : "/" + request.subresource();
        String name = request.name().isEmpty() ? "" : " " + Quoted.of(request.name());
        return Quoted.name(request.resource() + group + subresource) + name;
    }

    private static String location(ResourceAttributes request) {
        if (!request.namespace().isEmpty()) {
            return " in namespace " + Quoted.name(request.namespace());
        }
        boolean namespaced = ResourceTypes.builtIn()
                .find(request.resource(), request.group())
                .map(ApiResource::namespaced)
                .orElse(false);
        return namespaced ? " in every namespace" : "";
    }
}
