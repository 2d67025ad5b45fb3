package io.plat.apiserver.expression;

import io.plat.apiserver.selector.LabelSelector;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.SelectorAttributes;
import io.plat.review.SelectorAttributes.Requirement;
import io.plat.review.UserInfo;
import io.plat.review.request.RequestInfoParser;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** CEL variable {@code authorizer} of one request. */
public record AuthorizerVariable(UserInfo user, Checks checks) {
    /** Authorization checks of one request. Each is decided once; their number and total time are bounded. Not thread-safe. */
    public static final class Checks {
        private static final int MAX_CHECKS = 64;
        private static final Duration MAX_TIME = Duration.ofSeconds(10);

        private final Authorizer authorizer;
        private final Map<Attributes, CheckResult> known = new HashMap<>();
        private long spent;

        public Checks(Authorizer authorizer) {
            this.authorizer = authorizer;
        }

        private CheckResult decide(Attributes attributes) {
            @Nullable CheckResult before = known.get(attributes);
            if (before != null) {
                return before;
            }
            if (known.size() == MAX_CHECKS || spent > MAX_TIME.toNanos()) {
                throw new IllegalArgumentException("too many authorization checks in one request");
            }
            long begin = System.nanoTime();
            Decision decision = authorizer.authorize(attributes);
            spent += System.nanoTime() - begin;
            CheckResult verdict = decision instanceof Decision.Undecided undecided
                    ? new CheckResult(false, "", undecided.reason().isEmpty() ? "undecided" : undecided.reason())
                    : new CheckResult(decision instanceof Decision.Allow, decision.reason(), "");
            known.put(attributes, verdict);
            return verdict;
        }
    }

    /**
     * Decision of a check.
     *
     * @param allowed whether the request is allowed
     * @param error reason why there is no decision; {@code ""} if there is one
     */
    record CheckResult(boolean allowed, String reason, String error) {}

    /** Check of a path; a separate class, so that overloads are distinguished by type. */
    record Path(AuthorizerVariable of, String path) {
        CheckResult check(String verb) {
            return of.decide(new NonResourceAttributes(path, verb));
        }
    }

    /**
     * Check of a resource, or of a group without a resource yet.
     *
     * @param parts its attributes by the name of the function that sets them
     */
    public record Check(AuthorizerVariable of, Map<String, String> parts) {
        /** Functions that set an attribute of a check. */
        static final List<String> PARTS = List.of("subresource", "namespace", "name", "fieldSelector", "labelSelector");

        public Check with(String part, String value) {
            var more = new HashMap<>(parts);
            more.put(part, value);
            return new Check(of, more);
        }

        Check resource(String resource) {
            return with("resource", require("resource", resource)).with("version", "*");
        }

        CheckResult check(String verb) {
            return of.decide(new ResourceAttributes(
                    part("namespace"),
                    verb,
                    part("group"),
                    part("version"),
                    part("resource"),
                    part("subresource"),
                    part("name"),
                    selector(RequestInfoParser.parseFields(part("fieldSelector"))),
                    selector(labels(part("labelSelector")))));
        }

        private static Optional<List<Requirement>> labels(String selector) {
            return selector.length() > RequestInfoParser.MAX_SELECTOR_LENGTH
                    ? Optional.empty()
                    : LabelSelector.requirements(selector);
        }

        private String part(String part) {
            return parts.getOrDefault(part, "");
        }

        private static @Nullable SelectorAttributes selector(Optional<List<Requirement>> requirements) {
            return requirements
                    .filter(some -> !some.isEmpty())
                    .map(some -> new SelectorAttributes("", some))
                    .orElse(null);
        }
    }

    private CheckResult decide(AccessAttributes access) {
        return checks.decide(new Attributes(user, access));
    }

    Path path(String path) {
        return new Path(this, require("path", path));
    }

    Check group(String group) {
        return new Check(this, Map.of("group", group));
    }

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

    public Check requestResource(String group, String version, String resource) {
        return new Check(this, Map.of("group", group, "version", version, "resource", resource));
    }

    private static String require(String what, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException(what + " must not be empty");
        }
        return value;
    }
}
