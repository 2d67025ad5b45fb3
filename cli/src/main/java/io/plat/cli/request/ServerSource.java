package io.plat.cli.request;

import io.plat.cli.request.ResourceTypes.AdditionalTypes;
import io.plat.cli.server.DecodedResponse;
import io.plat.cli.server.FailureText;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.ServerResponse;
import io.plat.engine.Authorizer;
import io.plat.review.AccessAttributes;
import io.plat.review.AccessReview;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewStatus;
import io.plat.review.ReviewVersion;
import io.plat.review.UserInfo;
import io.plat.review.codec.ExplanationCodec;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.NearMiss;
import io.plat.review.explain.SubjectListing;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server, either an API server or a decider: both answer at the path of a review's resource. If it cannot explain its decisions, or refuses to,
 * as kube-apiserver does, its role objects are used instead.
 */
public final class ServerSource implements DecisionSource {
    private static final Set<Integer> UNKNOWN = Set.of(
            HttpURLConnection.HTTP_FORBIDDEN, HttpURLConnection.HTTP_NOT_FOUND, HttpURLConnection.HTTP_BAD_METHOD);

    private final HttpsConnection connection;
    private final String namespace;
    private final ReviewCodec reviews = new ReviewCodec();
    private ReviewVersion version = REVIEW_VERSION;
    private boolean negotiated;
    private @Nullable RoleExplanations byRoles;

    /**
     * Creates the source for a server.
     *
     * @param namespace the default namespace of requests
     */
    public ServerSource(HttpsConnection connection, String namespace) {
        this.connection = connection;
        this.namespace = namespace;
    }

    public HttpsConnection connection() {
        return connection;
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public AdditionalTypes additionalTypes() {
        return new DiscoveredTypes(connection);
    }

    @Override
    public DecodedResponse<ReviewStatus> decide(AccessReview review) {
        return connection.read(post(review), body -> reviews.decodeResponse(body, review.kind(), version));
    }

    /** Returns the version of reviews that the server serves, as far as a response has shown it. */
    public ReviewVersion version() {
        return version;
    }

    private ServerResponse post(AccessReview requested) {
        return post(
                requested.kind().resource(),
                served -> reviews.encodeRequest(
                        new AccessReview(requested.kind(), served, requested.user(), requested.access())),
                Map.of());
    }

    /**
     * Posts a review. If the server does not serve {@link #REVIEW_VERSION}, its discovery names another one, in which all later ones are sent.
     *
     * @param body the review in a version
     */
    public ServerResponse post(
            String resource, Function<ReviewVersion, byte[]> body, Map<String, List<String>> fields) {
        ServerResponse answer = connection.post(path(resource), body.apply(version), fields);
        if (answer.code() != HttpURLConnection.HTTP_NOT_FOUND || negotiated) {
            return answer;
        }
        negotiated = true;
        List<String> served = ServedNames.groupVersions(connection);
        Optional<ReviewVersion> other = Stream.of(REVIEW_VERSION, ReviewVersion.PLAT_V1BETA1, ReviewVersion.K8S_V1BETA1)
                .filter(known -> served.contains(known.apiVersion()))
                .findFirst();
        if (other.isEmpty() || other.get() == version) {
            return answer;
        }
        version = other.get();
        return connection.post(path(resource), body.apply(version), fields);
    }

    private String path(String resource) {
        return "/apis/" + version.apiVersion() + "/" + resource;
    }

    @Override
    public DecodedResponse<Explanation> explain(AccessReview requested) {
        ServerResponse answer = byRoles == null ? post(requested) : null;
        return answer == null || UNKNOWN.contains(answer.code())
                ? byRoles(answer).explain(requested)
                : connection.read(answer, body -> ExplanationCodec.decodeExplanation(body, version));
    }

    /** Returns the grants that nearly give an access to a user without any; none if the server does not explain. */
    public BoundedList<NearMiss> nearest(AccessAttributes access) {
        UserInfo anonymous = new UserInfo(UserInfo.ANONYMOUS, List.of(UserInfo.UNAUTHENTICATED));
        ServerResponse answer =
                post(new AccessReview(ReviewKind.ACCESS_EXPLANATION, REVIEW_VERSION, anonymous, access));
        return answer.succeeded()
                ? connection
                        .read(answer, body -> ExplanationCodec.decodeExplanation(body, version))
                        .value()
                        .findings()
                        .nearMisses()
                : BoundedList.none();
    }

    @Override
    public DecodedResponse<SubjectListing> subjects(AccessReview requested) {
        ServerResponse answer = byRoles == null ? post(requested) : null;
        return answer == null || UNKNOWN.contains(answer.code())
                ? byRoles(answer).subjects(requested)
                : connection.read(answer, body -> ExplanationCodec.decodeListing(body, version));
    }

    /** {@inheritDoc} Only present after the server did not know a request. */
    @Override
    public Optional<Authorizer> engine() {
        return Optional.ofNullable(byRoles).map(RoleExplanations::roles);
    }

    private RoleExplanations byRoles(@Nullable ServerResponse refusal) {
        RoleExplanations explanations = byRoles;
        if (explanations == null) {
            String response = refusal == null
                    ? ""
                    : String.valueOf(
                            FailureText.by(connection.server(), refusal).getMessage());
            explanations = new RoleExplanations(
                    this, response, refusal != null && refusal.code() == HttpURLConnection.HTTP_FORBIDDEN);
            byRoles = explanations;
        }
        return explanations;
    }
}
