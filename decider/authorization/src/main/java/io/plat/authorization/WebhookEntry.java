package io.plat.authorization;

import io.plat.engine.condition.RequestMatcher;
import io.plat.engine.webhook.CachingAuthorizer;
import io.plat.engine.webhook.WebhookAuthorizer;
import io.plat.engine.webhook.WebhookMode;
import io.plat.review.ReviewVersion;
import io.plat.review.source.Durations;
import io.plat.review.source.Problem;
import io.plat.review.source.Quoted;
import io.plat.review.source.SourceFields;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reader of the {@code webhook} field of an entry, with Kubernetes' defaults and limits. */
final class WebhookEntry {
    private static final Duration MAX_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration AUTHORIZED_TTL = Duration.ofMinutes(5);
    private static final Duration UNAUTHORIZED_TTL = Duration.ofSeconds(30);
    private static final int MAX_CONDITIONS = 64;

    /** SubjectAccessReview versions by name: Kubernetes' by short names, the specification's own by its full name. */
    private static final Map<String, ReviewVersion> REVIEWS = new TreeMap<>(Map.of(
            "v1",
            ReviewVersion.K8S_V1,
            "v1beta1",
            ReviewVersion.K8S_V1BETA1,
            ReviewVersion.PLAT_V1BETA1.apiVersion(),
            ReviewVersion.PLAT_V1BETA1));

    private WebhookEntry() {}

    /**
     * Reads a webhook.
     *
     * @param problems collects problems; the result is meaningful only if there are none
     */
    static ConfiguredAuthorizer.Webhook read(String name, SourceFields fields, List<Problem> problems) {
        Duration timeout = timeout(fields);
        Duration authorized = ttl(fields, "authorizedTTL", "cacheAuthorizedRequests", AUTHORIZED_TTL);
        Duration unauthorized = ttl(fields, "unauthorizedTTL", "cacheUnauthorizedRequests", UNAUTHORIZED_TTL);
        String review = AuthorizationConfigReader.oneOf(fields, "subjectAccessReviewVersion", REVIEWS.keySet());
        String failurePolicy = AuthorizationConfigReader.oneOf(fields, "failurePolicy", List.of("Deny", "NoOpinion"));
        Path connection = connection(fields.requiredMapping("connectionInfo"));
        RequestMatcher conditions = conditions(fields, problems);
        fields.rejectUnknown();
        return new ConfiguredAuthorizer.Webhook(
                name,
                new WebhookMode.Options(
                        connection,
                        new WebhookAuthorizer.Settings(REVIEWS.getOrDefault(review, ReviewVersion.K8S_V1), timeout),
                        new CachingAuthorizer.Settings(authorized, unauthorized)),
                failurePolicy.equals("Deny"),
                conditions);
    }

    private static Duration timeout(SourceFields fields) {
        Optional<Duration> parsed = duration(fields, "timeout");
        if (!fields.has("timeout")) {
            fields.problem("timeout", "required, such as 3s");
        }
        Duration timeout = parsed.orElse(MAX_TIMEOUT);
        if (!timeout.isPositive() || timeout.compareTo(MAX_TIMEOUT) > 0) {
            fields.problem("timeout", "must be > 0s and <= 30s");
            return MAX_TIMEOUT;
        }
        return timeout;
    }

    private static Duration ttl(SourceFields fields, String key, String cacheKey, Duration defaultTtl) {
        boolean caches = !fields.has(cacheKey) || fields.bool(cacheKey);
        fields.ignore(cacheKey);
        Duration ttl = duration(fields, key).orElse(defaultTtl);
        if (!ttl.isPositive()) {
            fields.problem(key, "must be > 0s; " + cacheKey + ": false turns the cache off");
            return Duration.ZERO;
        }
        return caches ? ttl : Duration.ZERO;
    }

    private static Optional<Duration> duration(SourceFields fields, String key) {
        String text = fields.string(key);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        boolean negative = text.startsWith("-");
        Optional<Duration> duration = Durations.parse(negative ? text.substring(1) : text);
        if (duration.isEmpty()) {
            fields.problem(key, "invalid value " + Quoted.of(text) + ", expected a duration such as 30s or 1m30s");
        }
        return negative ? duration.map(Duration::negated) : duration;
    }

    private static Path connection(SourceFields info) {
        if (info.string("type").equals("InClusterConfig")) {
            info.problem(
                    "type",
                    "\"InClusterConfig\" names no address and no client certificate of a webhook; expected"
                            + " \"KubeConfigFile\"");
            info.ignore("kubeConfigFile");
            info.rejectUnknown();
            return Path.of("");
        }
        String type = AuthorizationConfigReader.oneOf(info, "type", List.of("KubeConfigFile"));
        String file = type.isEmpty() ? info.string("kubeConfigFile") : info.requiredString("kubeConfigFile");
        info.rejectUnknown();
        Path connection = Path.of(file);
        if (file.isEmpty()) {
            return connection;
        }
        if (!connection.isAbsolute()) {
            info.problem("kubeConfigFile", Quoted.of(file) + " must be an absolute path");
        } else if (!Files.isRegularFile(connection)) {
            info.problem("kubeConfigFile", Quoted.of(file) + " is missing or not a regular file");
        }
        return connection;
    }

    private static @Nullable RequestMatcher conditions(SourceFields fields, List<Problem> problems) {
        List<SourceFields> entries = fields.mappings("matchConditions");
        if (entries.size() > MAX_CONDITIONS) {
            fields.problem("matchConditions", "too many, expected at most " + MAX_CONDITIONS);
            return null;
        }
        if (!entries.isEmpty() || fields.has("matchConditionSubjectAccessReviewVersion")) {
            AuthorizationConfigReader.oneOf(fields, "matchConditionSubjectAccessReviewVersion", List.of("v1"));
        }
        int before = problems.size();
        Set<String> expressions = new LinkedHashSet<>();
        for (SourceFields entry : entries) {
            String expression = entry.requiredString("expression").strip();
            entry.rejectUnknown();
            if (expression.isEmpty()) {
                continue;
            }
            if (!expressions.add(expression)) {
                entry.problem("expression", "duplicate value");
            } else {
                MatchConditions.problem(expression).ifPresent(problem -> entry.problem("expression", problem));
            }
        }
        return expressions.isEmpty() || problems.size() > before ? null : MatchConditions.of(expressions);
    }
}
