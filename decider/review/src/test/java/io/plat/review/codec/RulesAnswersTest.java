package io.plat.review.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.review.ReviewVersion;
import io.plat.review.RulesReview;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.PathRule;
import io.plat.review.explain.ResourceRule;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.UnexplainedAuthorizer;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A rules review: a client's request, and its response. */
class RulesAnswersTest {
    private static final RulesReviewCodec CODEC = new RulesReviewCodec();
    private static final String BEGIN =
            "{\"kind\":\"SelfSubjectRulesReview\",\"apiVersion\":\"authorization.k8s.io/v1\",";

    @ParameterizedTest
    @EnumSource(ReviewVersion.class)
    void requestsAreReadByAServer(ReviewVersion version) throws Exception {
        RulesReview request = new RulesReview(version, "team-a \"\u00e9\"");
        assertThat(CODEC.decode(CODEC.encodeRequest(request), version)).isEqualTo(request);
    }

    @Property(tries = 300)
    void responsesAreReadByAClient(@ForAll("listings") RuleListing rules) throws Exception {
        RulesReview request = new RulesReview(ReviewVersion.K8S_V1, "a");
        assertThat(CODEC.decodeResponse(CODEC.encode(request, rules), ReviewVersion.K8S_V1))
                .isEqualTo(rules);
    }

    @Provide
    Arbitrary<RuleListing> listings() {
        Arbitrary<List<String>> words = Arbitraries.of("", "*", "pods", "pods/log", "a\"b", "\u00e9")
                .list()
                .ofMaxSize(3);
        Arbitrary<ResourceRule> resources =
                Combinators.combine(words, words, words, words).as(ResourceRule::new);
        Arbitrary<PathRule> paths = Combinators.combine(words, words).as(PathRule::new);
        return Combinators.combine(resources.list().ofMaxSize(4), paths.list().ofMaxSize(4))
                .as((some, others) ->
                        new RuleListing(new BoundedList<>(some, 0), new BoundedList<>(others, 0), List.of()));
    }

    @Test
    void incompleteListingsHaveAReason() throws Exception {
        RuleListing listing = CODEC.decodeResponse(
                (BEGIN + "\"status\":{\"resourceRules\":null,\"nonResourceRules\":[],\"incomplete\":true,"
                                + "\"evaluationError\":\"webhook authorizer does not support user rule resolution\",\"more\":[1]}}")
                        .getBytes(UTF_8),
                ReviewVersion.K8S_V1);
        assertThat(listing)
                .isEqualTo(new RuleListing(
                        BoundedList.none(),
                        BoundedList.none(),
                        List.of(new UnexplainedAuthorizer(
                                "the server", "webhook authorizer does not support user rule resolution"))));
        assertThat(CODEC.decodeResponse(
                                (BEGIN + "\"status\":{\"incomplete\":true}}").getBytes(UTF_8), ReviewVersion.K8S_V1)
                        .error())
                .isEqualTo("the server: it does not report a reason");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"kind":"SelfSubjectRulesReview","apiVersion":"authorization.k8s.io/v1"}          | status: missing
            {"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","status":{}} | kind:
            {"kind":"SelfSubjectRulesReview","apiVersion":"authorization.k8s.io/v1beta1","status":{}} | apiVersion:
            {"kind":"SelfSubjectRulesReview","apiVersion":"authorization.k8s.io/v1","status":[]} | status: expected an object
            {"kind":"SelfSubjectRulesReview","apiVersion":"authorization.k8s.io/v1","status":{"resourceRules":{}}} | status.resourceRules: expected a list
            {"kind":"SelfSubjectRulesReview","apiVersion":"authorization.k8s.io/v1","status":{"resourceRules":[null]}} | status.resourceRules[]: expected an object
            {"kind":"SelfSubjectRulesReview","apiVersion":"authorization.k8s.io/v1","status":{"resourceRules":[{"verbs":"get"}]}} | status.resourceRules[].verbs: expected a list
            {"kind":"SelfSubjectRulesReview","apiVersion":"authorization.k8s.io/v1","status":{"resourceRules":[{"verbs":[],"verbs":[]}]}} | given twice
            {"kind":"SelfSubjectRulesReview","apiVersion":"authorization.k8s.io/v1","status":{"incomplete":false,"incomplete":true}} | given twice
            {"kind":"SelfSubjectRulesReview","apiVersion":"authorization.k8s.io/v1","status":{"incomplete":"no"}} | true or false
            {"kind":"SelfSubjectRulesReview","apiVersion":"authorization.k8s.io/v1","status":{}} x | not valid JSON
            [] | expected a SelfSubjectRulesReview
            """)
    void malformedResponsesAreRefused(String body, String expected) {
        assertThatThrownBy(() -> CODEC.decodeResponse(body.getBytes(UTF_8), ReviewVersion.K8S_V1))
                .isInstanceOf(MalformedResponseException.class)
                .hasMessageContaining(expected);
    }
}
