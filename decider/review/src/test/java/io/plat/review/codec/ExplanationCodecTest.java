package io.plat.review.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.review.AccessReview;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import io.plat.review.UserInfo;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.Findings;
import io.plat.review.explain.ListedSubject;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.NearMiss;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.Suggestion;
import io.plat.review.explain.UnexplainedAuthorizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Encoding and decoding of explanations, and malformed responses of other servers. */
class ExplanationCodecTest {
    private static final ResourceAttributes PODS =
            new ResourceAttributes("team-a", "get", "", "v1", "pods", "log", "x");
    private static final NamedGrant GRANT = new NamedGrant("RBAC", "roles.yaml:3", "{\"verbs\":[\"get\"]}");
    private static final Findings MISSED = new Findings(
            BoundedList.none(),
            new BoundedList<>(List.of(new NearMiss(GRANT, List.of("verb", "name"))), 7),
            new Suggestion("RBAC", "kind: Role\n", "also in every namespace"),
            List.of(new UnexplainedAuthorizer("Moody", "it does not explain its decisions")));

    private static AccessReview reviewOf(ReviewKind kind, ReviewVersion version) {
        UserInfo user = kind.namesSubject() ? new UserInfo("zo\u00eb", List.of("dev")) : null;
        return new AccessReview(kind, version, user, PODS);
    }

    private static byte[] explanation(ReviewVersion version, Explanation explanation) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ExplanationCodec.encode(reviewOf(ReviewKind.ACCESS_EXPLANATION, version), explanation, out);
        return out.toByteArray();
    }

    @Test
    void explanationsRoundTripInEveryVersion() throws Exception {
        Explanation denied = new Explanation(false, "nothing \u2028 matched", MISSED);
        Explanation allowed = new Explanation(true, "", Findings.of(new BoundedList<>(List.of(GRANT, GRANT), 3)));
        for (ReviewVersion version : ReviewVersion.values()) {
            for (Explanation explanation : List.of(denied, allowed)) {
                assertThat(ExplanationCodec.decodeExplanation(explanation(version, explanation), version))
                        .isEqualTo(explanation);
            }
        }
    }

    @Test
    void listingsRoundTripInEveryVersion() throws Exception {
        SubjectListing listing = new SubjectListing(
                new BoundedList<>(
                        List.of(
                                new ListedSubject(SubjectName.EVERYBODY, new BoundedList<>(List.of(GRANT), 0)),
                                new ListedSubject(SubjectName.group("dev"), new BoundedList<>(List.of(GRANT), 0)),
                                new ListedSubject(SubjectName.user("*", "ops"), new BoundedList<>(List.of(GRANT), 2)),
                                new ListedSubject(
                                        SubjectName.user("system:serviceaccount:a:x"),
                                        new BoundedList<>(List.of(GRANT, GRANT), 0))),
                        5),
                List.of(new UnexplainedAuthorizer("Webhook", "HTTP 404")));
        for (ReviewVersion version : ReviewVersion.values()) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ExplanationCodec.encode(reviewOf(ReviewKind.SUBJECT_LISTING, version), listing, out);
            assertThat(ExplanationCodec.decodeListing(out.toByteArray(), version))
                    .isEqualTo(listing);
        }
    }

    @Test
    void theSpecIsEchoedInItsVocabularyAndRequiredMembersAreWritten() throws IOException {
        String text = new String(
                explanation(ReviewVersion.PLAT_V1BETA1, new Explanation(false, "no", Findings.NOTHING)),
                StandardCharsets.UTF_8);
        assertThat(text)
                .isEqualTo("{\"kind\":\"AccessExplanation\",\"apiVersion\":\"authorization.plat.io/v1beta1\","
                        + "\"metadata\":{},\"spec\":{\"resourceAttributes\":{\"namespace\":\"team-a\","
                        + "\"verb\":\"get\",\"version\":\"v1\",\"resource\":\"pods\",\"subresource\":\"log\",\"name\":\"x\"},"
                        + "\"user\":\"zo\u00eb\",\"group\":[\"dev\"]},"
                        + "\"status\":{\"allowed\":false,\"reason\":\"no\",\"grants\":[],\"nearMisses\":[]}}");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"grants":[]}                                                          | status.allowed: missing
            {"allowed":true,"grants":[]}                                           | status.grants: expected grants exactly
            {"allowed":true}                                                       | status.grants: expected grants exactly
            {"allowed":false,"grants":[{"authorizer":"A","source":"s","rule":"r"}]} | status.grants: expected grants exactly
            {"allowed":false,"allowed":true}                                       | status.allowed: given twice
            {"allowed":"no"}                                                       | status.allowed: expected true or false
            {"allowed":false,"grants":[null]}                                      | a grant: expected an object
            {"allowed":false,"nearMisses":[{"rule":"r"}]}                          | lacks: a near miss that lacks nothing
            {"allowed":false,"nearMisses":[{"rule":"r","lacks":[1]}]}              | expected a string
            {"allowed":false,"nearMisses":{}}                                      | expected a list
            {"allowed":false,"nearMissesLeftOut":-1}                               | expected a count
            {"allowed":false,"nearMissesLeftOut":1.5}                              | expected a count
            {"allowed":false,"nearMissesLeftOut":99999999999999999999}             | expected a count
            {"allowed":false,"unexplained":[{"authorizer":1}]}                     | expected a string
            {"allowed":false,"suggestion":"x"}                                     | status.suggestion: expected an object
            {"allowed":false                                                       | not valid JSON
            null                                                                   | status: missing
            """)
    void inconsistentExplanationsAreRefused(String status, String problem) {
        byte[] body = ("{\"kind\":\"AccessExplanation\",\"apiVersion\":\"authorization.k8s.io/v1\",\"status\":" + status
                        + (status.endsWith("}") || status.equals("null") ? "}" : ""))
                .getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> ExplanationCodec.decodeExplanation(body, ReviewVersion.K8S_V1))
                .isInstanceOf(MalformedResponseException.class)
                .hasMessageContaining(problem);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                                                        | status.subjects: missing
            {"subjects":[{"kind":"User","name":"u"}]}                                 | a subject without a grant
            {"subjects":[{"kind":"Robot","name":"u","through":[{}]}]}                 | unknown kind "Robot"
            {"subjects":[{"kind":"Group","name":"*","everybody":true,"through":[{}]}]} | unknown kind "Group"
            {"subjects":[{"kind":"User","kind":"Group","through":[{}]}]}              | kind: given twice
            {"subjects":[],"subjects":[]}                                             | status.subjects: given twice
            """)
    void inconsistentListingsAreRefused(String status, String problem) {
        byte[] body = ("{\"kind\":\"SubjectListing\",\"apiVersion\":\"authorization.k8s.io/v1\",\"status\":" + status
                        + "}")
                .getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> ExplanationCodec.decodeListing(body, ReviewVersion.K8S_V1))
                .isInstanceOf(MalformedResponseException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void otherKindsAndVersionsAreRefused() throws IOException {
        byte[] body = explanation(ReviewVersion.K8S_V1, new Explanation(false, "no", Findings.NOTHING));
        assertThatThrownBy(() -> ExplanationCodec.decodeExplanation(body, ReviewVersion.K8S_V1BETA1))
                .hasMessageContaining("apiVersion: expected");
        assertThatThrownBy(() -> ExplanationCodec.decodeListing(body, ReviewVersion.K8S_V1))
                .isInstanceOf(MalformedResponseException.class);
    }

    @Test
    void longRulesAreTruncatedBetweenCharacters() {
        String long1 = new NamedGrant("A", "s", "x".repeat(5000)).rule();
        assertThat(long1).hasSize(NamedGrant.MAX_RULE).endsWith("x…");
        String long2 = new NamedGrant("A", "s", "x".repeat(NamedGrant.MAX_RULE - 2) + "\uD83D\uDE00 and more").rule();
        assertThat(long2).endsWith("x…");
    }
}
