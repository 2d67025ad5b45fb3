package io.plat.apiserver.expression;

import io.plat.apiserver.request.Selectors;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.SelectorAttributes;
import io.plat.review.SelectorAttributes.Requirement;
import io.plat.review.UserInfo;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The variable {@code authorizer} in the expressions of one request.
 *
 * @param user the user whose permissions are checked
 * @param checks the checks of the request
 */
public record AuthorizerVariable(UserInfo user, Checks checks) {
    /** The decisions of one request. Each check is decided once; their number and their time are bounded. For one thread. */
    public static final class Checks {
        private static final int MOST = 64;
        private static final Duration LONGEST = Duration.ofSeconds(10);

        private final Authorizer authorizer;
        private final Map<Attributes, Verdict> known = new HashMap<>();
        private long spent;

        /** Checks that an authorizer decides. */
        public Checks(Authorizer authorizer) {
            this.authorizer = authorizer;
        }

        private Verdict decide(Attributes attributes) {
            @Nullable Verdict before = known.get(attributes);
            if (before != null) {
                return before;
            }
            if (known.size() == MOST || spent > LONGEST.toNanos()) {
                throw new IllegalArgumentException("too many authorization checks in one request");
            }
            long begin = System.nanoTime();
            Decision decision = authorizer.authorize(attributes);
            spent += System.nanoTime() - begin;
            Verdict verdict = decision instanceof Decision.Undecided undecided
                    ? new Verdict(false, "", undecided.reason().isEmpty() ? "undecided" : undecided.reason())
                    : new Verdict(decision instanceof Decision.Allow, decision.reason(), "");
            known.put(attributes, verdict);
            return verdict;
        }
    }

    /**
     * A decision.
     *
     * @param allowed whether the request is allowed
     * @param reason why
     * @param error why there is no decision; {@code ""} where there is one
     */
    record Verdict(boolean allowed, String reason, String error) {}

    /** A check of a path. */
    record Path(AuthorizerVariable of, String path) {
        Verdict check(String verb) {
            return of.decide(new NonResourceAttributes(path, verb));
        }
    }

    /** An API group, of which a resource is still to be named. */
    record Group(AuthorizerVariable of, String group) {
        Resource resource(String resource) {
            return new Resource(of, group, "*", require("resource", resource), new EnumMap<>(Resource.Part.class));
        }
    }

    /** A check of a resource. */
    public record Resource(
            AuthorizerVariable of, String group, String version, String resource, Map<Part, String> parts) {
        /** What may be said of a resource. */
        public enum Part {
            SUBRESOURCE("subresource"),
            NAMESPACE("namespace"),
            NAME("name"),
            FIELDS("fieldSelector"),
            LABELS("labelSelector");

            private final String function;

            Part(String function) {
                this.function = function;
            }

            String function() {
                return function;
            }
        }

        /** The same check with one more part. */
        public Resource with(Part part, String value) {
            Map<Part, String> more = new EnumMap<>(Part.class);
            more.putAll(parts);
            more.put(part, value);
            return new Resource(of, group, version, resource, more);
        }

        Verdict check(String verb) {
            return of.decide(new ResourceAttributes(
                    part(Part.NAMESPACE),
                    verb,
                    group,
                    version,
                    resource,
                    part(Part.SUBRESOURCE),
                    part(Part.NAME),
                    selector(Selectors.parseFields(part(Part.FIELDS))),
                    selector(Selectors.parseLabels(part(Part.LABELS)))));
        }

        private String part(Part part) {
            return parts.getOrDefault(part, "");
        }

        private static @Nullable SelectorAttributes selector(Optional<List<Requirement>> requirements) {
            return requirements
                    .filter(some -> !some.isEmpty())
                    .map(some -> new SelectorAttributes("", some))
                    .orElse(null);
        }
    }

    private Verdict decide(AccessAttributes access) {
        return checks.decide(new Attributes(user, access));
    }

    Path path(String path) {
        return new Path(this, require("path", path));
    }

    Group group(String group) {
        return new Group(this, group);
    }

    /** The same variable for a service account. */
    AuthorizerVariable serviceAccount(String namespace, String name) {
        return new AuthorizerVariable(
                new UserInfo(
                        UserInfo.serviceAccountUser(require("service account namespace", namespace), name),
                        List.of(
                                UserInfo.SERVICE_ACCOUNTS,
                                UserInfo.serviceAccountsOf(namespace),
                                UserInfo.AUTHENTICATED)),
                checks);
    }

    /** The check of a resource that a request names. */
    public Resource requestResource(String group, String version, String resource) {
        return new Resource(this, group, version, resource, new EnumMap<>(Resource.Part.class));
    }

    private static String require(String what, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException(what + " must not be empty");
        }
        return value;
    }
}
