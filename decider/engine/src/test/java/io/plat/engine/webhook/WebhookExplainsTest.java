package io.plat.engine.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.client.remote.Endpoint;
import io.plat.client.remote.FakeDecider;
import io.plat.client.remote.TestPki;
import io.plat.engine.Decision;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ReviewVersion;
import io.plat.review.UserInfo;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.Findings;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.NearMiss;
import io.plat.review.explain.PathRule;
import io.plat.review.explain.ResourceRule;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.Suggestion;
import io.plat.review.explain.UnexplainedAuthorizer;
import io.plat.tls.pem.PemException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Explanations of a remote decider: forwarded with its address, never guessed. */
class WebhookExplainsTest {
    private static final Attributes REQUEST =
            new Attributes(new UserInfo("jane", List.of()), new NonResourceAttributes("/version", "get"));
    private static final String HEAD = "{\"kind\":\"%s\",\"apiVersion\":\"authorization.k8s.io/v1\",\"status\":%s}";

    private static SSLContext serving;
    private static SSLContext clientTls;

    @BeforeAll
    static void makeCertificates() throws PemException {
        TestPki pki = new TestPki();
        serving = pki.serving(pki.server("localhost"));
        clientTls = pki.clientContext(pki.client("server"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        /authorize                                                     | /apis/authorization.k8s.io/v1/accessexplanations
        /                                                              | /apis/authorization.k8s.io/v1/accessexplanations
        ''                                                             | /apis/authorization.k8s.io/v1/accessexplanations
        /apis/authorization.plat.io/v1beta1/subjectaccessreviews       | /apis/authorization.k8s.io/v1/accessexplanations
        /behind/a/proxy/authorize                                      | /behind/a/proxy/apis/authorization.k8s.io/v1/accessexplanations
        /behind/apis/authorization.k8s.io/v1/subjectaccessreviews      | /behind/apis/authorization.k8s.io/v1/accessexplanations
        """)
    void explanationsAreRequestedFromTheDecider(String decides, String explains) throws Exception {
        Endpoint endpoint = new Endpoint(URI.create("https://decider:8443" + decides), () -> clientTls, null);
        assertThat(WebhookEndpoint.explanationUrl(endpoint.url(), "accessexplanations", ReviewVersion.K8S_V1))
                .isEqualTo(URI.create("https://decider:8443" + explains));
    }

    @Test
    void remoteGrantsHaveTheAddressAsSource() {
        RemoteFindings findings = new RemoteFindings("https://d/authorize");
        NamedGrant remote = new NamedGrant("RBAC", "roles.yaml:3\n(forged)", "{}\r{}");
        Findings here = findings.of(new Findings(
                BoundedList.none(),
                new BoundedList<>(List.of(new NearMiss(remote, List.of("verb\n"))), 2),
                new Suggestion("RBAC", "kind: Role\nname: x\n", "broad"),
                List.of(new UnexplainedAuthorizer("Moody", "silent"))));
        NearMiss miss = here.nearMisses().items().getFirst();
        assertThat(miss.grant())
                .isEqualTo(new NamedGrant("Webhook", "https://d/authorize: RBAC roles.yaml:3 (forged)", "{} {}"));
        assertThat(miss.lacks()).containsExactly("verb");
        assertThat(here.nearMisses().leftOut()).isEqualTo(2);
        assertThat(here.suggestion())
                .isEqualTo(new Suggestion(
                        "Webhook", "kind: Role\nname: x\n", "for mode RBAC of https://d/authorize: broad"));
        assertThat(here.unexplained())
                .containsExactly(new UnexplainedAuthorizer("Webhook", "https://d/authorize: Moody: silent"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"kind: \u001b[31mRole", "a\rb", "a\u0000b", "a\u202eb"})
    void anUnprintableSuggestionIsDropped(String text) {
        Findings here = new RemoteFindings("https://d/")
                .of(new Findings(BoundedList.none(), BoundedList.none(), new Suggestion("RBAC", text, ""), List.of()));
        assertThat(here.suggestion()).isNotNull();
        assertThat(here.suggestion().text()).isEmpty();
    }

    @Test
    void aDeciderWithoutExplanationsIsReported() throws Exception {
        for (String answer : List.of("404 Not Found", "403 Forbidden", "200 OK")) {
            try (Fixture fixture = new Fixture(
                    FakeDecider.json(answer, "{}"),
                    FakeDecider.json(
                            "200 OK", HEAD.formatted("SubjectAccessReview", "{\"allowed\":true,\"reason\":\"so\"}")))) {
                ExplainedDecision explained = fixture.authorizer.explain(REQUEST);
                assertThat(explained.decision()).isInstanceOf(Decision.Allow.class);
                assertThat(explained.findings().grants().items())
                        .extracting(NamedGrant::rule)
                        .containsExactly("so");
                assertThat(explained.findings().unexplained())
                        .singleElement()
                        .satisfies(one -> assertThat(one.reason()).contains("HTTP " + answer.substring(0, 3)));
                assertThat(fixture.decider.requests)
                        .satisfiesExactly(
                                first -> assertThat(first.head())
                                        .startsWith("POST /apis/authorization.k8s.io/v1/accessexplanations "),
                                second -> assertThat(second.head()).startsWith("POST /authorize "));
            }
        }
    }

    @Test
    void aDeciderWithoutListingsIsReported() throws Exception {
        try (Fixture fixture = new Fixture(FakeDecider.json("404 Not Found", "{}"))) {
            SubjectListing listing = fixture.authorizer.subjects(REQUEST.access());
            assertThat(listing.subjects().items()).isEmpty();
            assertThat(listing.unexplained()).hasSize(1);
        }
    }

    @Test
    void theRulesOfAUserAreRequestedOnce() throws Exception {
        String rules = "{\"resourceRules\":[{\"verbs\":[\"get\"],\"apiGroups\":[\"\"],\"resources\":[\"pods\"]}],"
                + "\"nonResourceRules\":[{\"verbs\":[\"get\"],\"nonResourceURLs\":[\"/x\"]}],\"incomplete\":%s}";
        String answer = "{\"kind\":\"SubjectRules\",\"apiVersion\":\"authorization.plat.io/v1beta1\",\"status\":%s}";
        try (Fixture fixture = new Fixture(
                FakeDecider.json("201 Created", answer.formatted(rules.formatted("false"))),
                FakeDecider.json(
                        "201 Created",
                        answer.formatted(rules.formatted("true,\"evaluationError\":\"Moody: silent\""))))) {
            RuleListing listing = fixture.authorizer.rules(REQUEST.user(), "a");
            assertThat(listing.incomplete()).isFalse();
            assertThat(listing.resources().items())
                    .containsExactly(new ResourceRule(List.of("get"), List.of(""), List.of("pods"), List.of()));
            assertThat(listing.paths().items()).containsExactly(new PathRule(List.of("get"), List.of("/x")));
            assertThat(fixture.authorizer.rules(REQUEST.user(), "a").error())
                    .isEqualTo("Webhook: " + fixture.decider.url() + ": Moody: silent");
            assertThat(fixture.decider.requests)
                    .hasSize(2)
                    .first()
                    .satisfies(request -> assertThat(request.head())
                            .startsWith("POST /apis/authorization.plat.io/v1beta1/subjectrules "));
        }
    }

    @Test
    void aDeciderWithoutRulesIsReported() throws Exception {
        String review = HEAD.formatted("SubjectAccessReview", "{\"allowed\":true}");
        for (String answer : List.of("404 Not Found", "403 Forbidden", "405 Method Not Allowed", "200 OK")) {
            try (Fixture fixture = new Fixture(FakeDecider.json(answer, review))) {
                RuleListing listing = fixture.authorizer.rules(REQUEST.user(), "a");
                assertThat(listing.resources().items()).isEmpty();
                assertThat(listing.error())
                        .startsWith("Webhook: " + fixture.decider.url() + ": the webhook cannot enumerate rules: HTTP "
                                + answer.substring(0, 3));
            }
        }
        try (Fixture fixture = new Fixture(Duration.ofMillis(300), FakeDecider.silence(""))) {
            assertThat(fixture.authorizer.rules(REQUEST.user(), "a").error())
                    .endsWith("the webhook cannot enumerate rules: no answer in time");
        }
    }

    @Test
    void aSilentDeciderIsUndecidedAtTheDeadline() throws Exception {
        try (Fixture fixture = new Fixture(Duration.ofMillis(300), FakeDecider.silence(""))) {
            ExplainedDecision explained = fixture.authorizer.explain(REQUEST);
            assertThat(explained.decision()).isInstanceOf(Decision.Undecided.class);
            assertThat(explained.findings().unexplained()).hasSize(1);
            assertThat(fixture.decider.requests)
                    .as("no time is left to ask for a decision")
                    .hasSize(1);
        }
    }

    @Test
    void theCachedDecisionIsExplained() throws Exception {
        String denied = HEAD.formatted("AccessExplanation", "{\"allowed\":false,\"grants\":[],\"nearMisses\":[]}");
        try (Fixture fixture = new Fixture(
                FakeDecider.json(
                        "200 OK", HEAD.formatted("SubjectAccessReview", "{\"allowed\":true,\"reason\":\"so\"}")),
                FakeDecider.json("200 OK", denied))) {
            CachingAuthorizer cached = new CachingAuthorizer(
                    fixture.authorizer::review,
                    fixture.authorizer,
                    new CachingAuthorizer.Settings(Duration.ofMinutes(5), Duration.ofMinutes(5)),
                    System::nanoTime);
            assertThat(cached.authorize(REQUEST)).isInstanceOf(Decision.Allow.class);
            ExplainedDecision explained = cached.explain(REQUEST);
            assertThat(explained.decision()).isEqualTo(cached.authorize(REQUEST));
            assertThat(explained.findings().grants().items()).hasSize(1);
            assertThat(explained.findings().unexplained())
                    .extracting(UnexplainedAuthorizer::reason)
                    .containsExactly("an earlier decision is cached, and differs from the current one");
        }
    }

    /** A decider with scripted responses, and an authorizer that queries it. */
    private static final class Fixture implements AutoCloseable {
        private final FakeDecider decider;
        private final WebhookAuthorizer authorizer;

        Fixture(FakeDecider.Script... scripts) throws IOException {
            this(Duration.ofSeconds(20), scripts);
        }

        Fixture(Duration deadline, FakeDecider.Script... scripts) throws IOException {
            decider = new FakeDecider(serving, scripts);
            authorizer = new WebhookAuthorizer(
                    new Endpoint(decider.url(), () -> clientTls, null),
                    new WebhookAuthorizer.Settings(ReviewVersion.K8S_V1, deadline));
        }

        @Override
        public void close() throws IOException {
            authorizer.close();
            decider.close();
        }
    }
}
