package io.plat.tests.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.plat.engine.Decision;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.engine.rbac.manifest.RbacManifestReader;
import io.plat.engine.union.ExemptingAuthorizer;
import io.plat.review.ApiGroups;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewVersion;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.source.ProblemsException;
import io.plat.tests.model.RandomPolicies;
import io.plat.tests.model.cases.CaseFiles;
import io.plat.tests.model.cases.PolicyCase;
import io.plat.tests.model.cases.PolicyDocument;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Comparability of the load runs: the policy for Open Policy Agent decides the cases of the RBAC mode, and random ones, like the engine.
 * Skipped if its program is missing.
 */
final class RegoAgreesTest {
    private static final int POLICIES = Boolean.getBoolean("plat.full") ? 100 : 5;
    private static final int REQUESTS = 100;
    private static final ReviewCodec REVIEWS = new ReviewCodec();

    private static TestPki pki;
    private static OpaTarget opa;
    private static HttpsClient client;

    @BeforeAll
    static void start() throws IOException {
        Optional<String> program = OpaTarget.programThatIsThere();
        assumeThat(program).as("the program opa").isPresent();
        pki = TestPki.create().client("load-client");
        opa = OpaTarget.start(program.get(), "opa", pki, pki.directory(), RbacPolicy.EMPTY);
        client = HttpsClient.of(pki, "load-client");
    }

    @AfterAll
    static void stop() {
        if (client != null) {
            client.close();
            opa.close();
            pki.close();
        }
    }

    @Test
    void cases() throws IOException, ProblemsException {
        for (PolicyDocument document : CaseFiles.of("rbac")) {
            if (document.problems().isEmpty() && document.superUser().isEmpty()) {
                RbacPolicy policy = read(document.policy());
                if (tellable(policy)) {
                    decideBy(policy);
                    for (PolicyCase each : document.cases()) {
                        assertThat(allows(each.request()))
                                .as("%s: %s", document.where(), each.name())
                                .isEqualTo(each.allowed());
                    }
                }
            }
        }
    }

    @Test
    void randomPolicies() throws IOException, ProblemsException {
        long seed = Long.getLong("plat.seed", System.nanoTime());
        System.out.println("random policies for opa: -Dplat.seed=" + seed);
        RandomPolicies random = new RandomPolicies(seed);
        for (int i = 0; i < POLICIES; i++) {
            RbacPolicy policy = withoutGathering(read(random.manifests()));
            decideBy(policy);
            ExemptingAuthorizer engine = ExemptingAuthorizer.ofMasters(RbacAuthorizer.of(RbacIndex.of(policy), ""));
            for (Attributes request : random.requests(REQUESTS)) {
                assertThat(allows(request))
                        .as(request::toString)
                        .isEqualTo(engine.authorize(request) instanceof Decision.Allow);
            }
        }
    }

    private static RbacPolicy read(String manifests) throws ProblemsException {
        RbacManifestReader reader = new RbacManifestReader();
        reader.add("policy", manifests);
        return reader.finish().policy();
    }

    private static boolean tellable(RbacPolicy policy) {
        return policy.roles().stream().allMatch(role -> role.aggregation() == null);
    }

    private static RbacPolicy withoutGathering(RbacPolicy policy) {
        return new RbacPolicy(
                policy.roles().stream()
                        .filter(role -> role.aggregation() == null)
                        .toList(),
                policy.bindings());
    }

    private static void decideBy(RbacPolicy policy) throws IOException {
        assertThat(client.send(
                                "PUT",
                                at("/v1/data/policy"),
                                RegoDocument.of(policy).toString())
                        .statusCode())
                .isEqualTo(204);
    }

    private static boolean allows(Attributes request) throws IOException {
        byte[] review = REVIEWS.encodeRequest(ReviewVersion.K8S_V1, canonical(request));
        String answer = client.post(at(opa.path()), new String(review, StandardCharsets.UTF_8))
                .body();
        boolean allowed = answer.contains("\"allowed\":true");
        assertThat(answer).contains("\"allowed\":" + allowed);
        return allowed;
    }

    /** The request with the canonical name of its group, as in the document. */
    private static Attributes canonical(Attributes request) {
        return switch (request.access()) {
            case NonResourceAttributes _ -> request;
            case ResourceAttributes requested ->
                new Attributes(
                        request.user(),
                        new ResourceAttributes(
                                requested.namespace(),
                                requested.verb(),
                                ApiGroups.canonical(requested.group()),
                                requested.version(),
                                requested.resource(),
                                requested.subresource(),
                                requested.name()));
        };
    }

    private static URI at(String path) {
        return URI.create("https://localhost:" + opa.port() + path);
    }
}
