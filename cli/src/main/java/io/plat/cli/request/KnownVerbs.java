package io.plat.cli.request;

import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.source.NearestName;
import io.plat.review.source.Quoted;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Known verbs of requests and of additional checks. */
public final class KnownVerbs {
    /** Verbs of resource requests, in the usual order. */
    public static final List<String> OF_RESOURCES =
            List.of("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection");

    /** Verbs of additional checks, or of older clients. */
    private static final Set<String> SPECIAL =
            Set.of("*", "approve", "attest", "bind", "escalate", "impersonate", "proxy", "redirect", "sign", "use");

    private static final Set<String> OF_PATHS = Set.of("*", "get", "put", "post", "patch", "delete", "head", "options");

    private KnownVerbs() {}

    /** Returns a warning about the unknown verb of a request, in a list. */
    public static List<String> problem(AccessAttributes access) {
        return problem(access.verb(), List.of(access));
    }

    /** Returns a warning about a verb that is unknown for all of these resources and paths, in a list. */
    public static List<String> problem(String verb, List<AccessAttributes> accesses) {
        Set<String> known = new TreeSet<>();
        for (AccessAttributes access : accesses) {
            known.addAll(access instanceof NonResourceAttributes ? OF_PATHS : OF_RESOURCES);
            known.addAll(access instanceof ResourceAttributes ? SPECIAL : Set.of());
        }
        return known.contains(verb)
                ? List.of()
                : List.of("unknown verb " + Quoted.of(verb) + NearestName.suggestion(verb, known));
    }
}
