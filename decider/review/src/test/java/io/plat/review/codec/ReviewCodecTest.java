package io.plat.review.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewStatus;
import io.plat.review.ReviewVersion;
import io.plat.review.SelectorAttributes;
import io.plat.review.SelectorAttributes.Requirement;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReviewCodecTest {
    private static final ResourceAttributes GET_PODS = new ResourceAttributes("demo", "get", "", "", "pods", "", "");

    private final ReviewCodec codec = new ReviewCodec();

    @Test
    void readsTheSpecificationsOwnExample() throws StatusException {
        AccessReview review = decode(Expectation.ANY_SUBJECT_ACCESS_REVIEW, """
                {
                  "apiVersion": "authorization.plat.io/v1beta1",
                  "kind": "SubjectAccessReview",
                  "spec": {
                    "resourceAttributes": {
                      "namespace": "kittensandponies",
                      "verb": "GET",
                      "group": "*",
                      "resource": "pods"
                    },
                    "user": "jane",
                    "group": ["group1", "group2"]
                  }
                }
                """);
        assertThat(review)
                .isEqualTo(new AccessReview(
                        ReviewKind.SUBJECT_ACCESS_REVIEW,
                        ReviewVersion.PLAT_V1BETA1,
                        new UserInfo("jane", List.of("group1", "group2")),
                        new ResourceAttributes("kittensandponies", "GET", "*", "", "pods", "", "")));
    }

    @Test
    void readsReviewsOfKubeApiserver() throws StatusException {
        AccessReview review = decode(Expectation.ANY_SUBJECT_ACCESS_REVIEW, """
                {"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1","metadata":{"creationTimestamp":null},
                 "spec":{"resourceAttributes":{"namespace":"demo","verb":"list","group":"apps","version":"v1",
                   "resource":"deployments","subresource":"scale","name":"web",
                   "fieldSelector":{"requirements":[{"key":"metadata.name","operator":"In","values":["x"]}]},
                   "labelSelector":{"rawSelector":"a=b"}},
                  "user":"alice","groups":["dev","system:authenticated"],
                  "extra":{"scopes":["a","b"],"empty":null},"uid":"42"},
                 "status":{"allowed":false}}
                """);
        UserInfo alice = new UserInfo(
                "alice",
                "42",
                List.of("dev", "system:authenticated"),
                Map.of("scopes", List.of("a", "b"), "empty", List.of()));
        ResourceAttributes scale = new ResourceAttributes(
                "demo",
                "list",
                "apps",
                "v1",
                "deployments",
                "scale",
                "web",
                new SelectorAttributes("", List.of(new Requirement("metadata.name", "In", List.of("x")))),
                new SelectorAttributes("a=b", List.of()));
        assertThat(review.attributes(new UserInfo("asker", List.of()))).isEqualTo(new Attributes(alice, scale));
        assertThat(review.version()).isEqualTo(ReviewVersion.K8S_V1);
    }

    @ParameterizedTest
    @EnumSource(ReviewVersion.class)
    void groupsHaveTheNameOfTheVersion(ReviewVersion version) throws StatusException {
        String other = version.groupsField().equals("group") ? "groups" : "group";
        String spec = "\"spec\":{\"%s\":[\"mine\"],\"%s\":5,\"nonResourceAttributes\":{}}"
                .formatted(version.groupsField(), other);
        String type = "\"apiVersion\":\"%s\",\"kind\":\"SubjectAccessReview\"".formatted(version.apiVersion());
        for (String body : List.of("{" + type + "," + spec + "}", "{" + spec + "," + type + "}")) {
            assertThat(decode(Expectation.ANY_SUBJECT_ACCESS_REVIEW, body).user())
                    .isEqualTo(new UserInfo("", List.of("mine")));
        }
        assertThat(decode(Expectation.at(version, ReviewKind.SUBJECT_ACCESS_REVIEW), "{" + spec + "}")
                        .user())
                .isEqualTo(new UserInfo("", List.of("mine")));
    }

    @Test
    void aResourcePathDefaultsKindAndVersion() throws StatusException {
        for (ReviewVersion version : ReviewVersion.values()) {
            Expectation expected = Expectation.at(version, ReviewKind.SUBJECT_ACCESS_REVIEW);
            for (String type : List.of(
                    "",
                    "\"kind\":\"\",\"apiVersion\":\"\",",
                    "\"kind\":null,\"apiVersion\":null,",
                    "\"kind\":\"SubjectAccessReview\",",
                    "\"apiVersion\":\"" + version.apiVersion() + "\",")) {
                AccessReview review =
                        decode(expected, "{" + type + "\"spec\":{\"user\":\"a\",\"nonResourceAttributes\":{}}}");
                assertThat(review.version()).isEqualTo(version);
                assertThat(review.kind()).isEqualTo(ReviewKind.SUBJECT_ACCESS_REVIEW);
            }
        }
    }

    @Test
    void emptyAttributesAreValid() throws StatusException {
        Expectation expected = Rows.expectation("");
        assertThat(decode(expected, "{\"spec\":{\"user\":\"a\",\"resourceAttributes\":{}}}")
                        .access())
                .isEqualTo(new ResourceAttributes("", "", "", "", "", "", ""));
        assertThat(decode(expected, "{\"spec\":{\"groups\":[\"\"],\"nonResourceAttributes\":{}}}")
                        .access())
                .isEqualTo(new NonResourceAttributes("", ""));
    }

    @Test
    void aSelfReviewIgnoresOtherUsers() throws StatusException {
        AccessReview review = decode(
                Expectation.at(ReviewVersion.K8S_V1, ReviewKind.SELF_SUBJECT_ACCESS_REVIEW),
                "{\"spec\":{\"user\":7,\"groups\":\"x\",\"user\":8,\"nonResourceAttributes\":{}}}");
        assertThat(review.user()).isNull();
        assertThat(text(codec.encodeResponse(review, ReviewStatus.of(true, ""))))
                .contains("\"spec\":{\"nonResourceAttributes\":{}}");
    }

    @Test
    void aLocalReviewIsForItsNamespace() throws StatusException {
        AccessReview review = decode(
                Expectation.local(ReviewVersion.K8S_V1, "demo"),
                "{\"metadata\":{\"namespace\":\"demo\"},\"spec\":{\"user\":\"a\",\"resourceAttributes\":"
                        + "{\"namespace\":\"demo\",\"verb\":\"get\",\"resource\":\"pods\"}}}");
        assertThat(review.access()).isEqualTo(GET_PODS);
        assertThat(review.kind()).isEqualTo(ReviewKind.LOCAL_SUBJECT_ACCESS_REVIEW);
    }

    @Test
    void unknownMembersOfAnyTypeAreSkipped() throws StatusException {
        String unknown = "\"x\":{\"user\":\"root\",\"y\":[1,{\"z\":null}]},\"Spec\":{\"user\":\"root\"},\"x\":1,";
        AccessReview review = decode(
                Rows.expectation(""),
                "{" + unknown + "\"status\":{\"allowed\":true},\"spec\":{" + unknown
                        + "\"User\":\"root\",\"user\":\"a\",\"resourceAttributes\":{" + unknown
                        + "\"namespace\":\"demo\",\"verb\":\"get\",\"resource\":\"pods\"}}}");
        assertThat(review.user()).isEqualTo(new UserInfo("a", List.of()));
        assertThat(review.access()).isEqualTo(GET_PODS);
    }

    @Test
    void aPartOfAnArrayIsRead() throws StatusException {
        byte[] body = "xx{\"spec\":{\"user\":\"ä\",\"nonResourceAttributes\":{}}}yy".getBytes(StandardCharsets.UTF_8);
        assertThat(codec.decode(body, 2, body.length - 4, Rows.expectation("")).user())
                .isEqualTo(new UserInfo("ä", List.of()));
    }

    @Test
    void aResponseEchoesTheSpecAsKubeApiserverDoes() {
        AccessReview review = new AccessReview(
                ReviewKind.SUBJECT_ACCESS_REVIEW,
                ReviewVersion.K8S_V1,
                new UserInfo("alice", List.of("dev")),
                GET_PODS);
        assertThat(text(codec.encodeResponse(review, ReviewStatus.of(false, ""))))
                .isEqualTo("{\"kind\":\"SubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\","
                        + "\"metadata\":{},"
                        + "\"spec\":{\"resourceAttributes\":{\"namespace\":\"demo\",\"verb\":\"get\",\"resource\":\"pods\"},"
                        + "\"user\":\"alice\",\"groups\":[\"dev\"]},\"status\":{\"allowed\":false}}");
    }

    @Test
    void aResponseHasAllMembersOfTheStatus() {
        AccessReview review = new AccessReview(
                ReviewKind.SUBJECT_ACCESS_REVIEW,
                ReviewVersion.PLAT_V1BETA1,
                new UserInfo("", "7", List.of("a", "b"), Map.of("z", List.of("1"), "k", List.of("v", ""))),
                new NonResourceAttributes("/version", "get"));
        assertThat(text(codec.encodeResponse(review, new ReviewStatus(false, true, "why", "broken"))))
                .isEqualTo(
                        "{\"kind\":\"SubjectAccessReview\",\"apiVersion\":\"authorization.plat.io/v1beta1\","
                                + "\"metadata\":{},"
                                + "\"spec\":{\"nonResourceAttributes\":{\"path\":\"/version\",\"verb\":\"get\"},"
                                + "\"group\":[\"a\",\"b\"],\"extra\":{\"k\":[\"v\",\"\"],\"z\":[\"1\"]},\"uid\":\"7\"},"
                                + "\"status\":{\"allowed\":false,\"denied\":true,\"reason\":\"why\",\"evaluationError\":\"broken\"}}");
    }

    @ParameterizedTest
    @EnumSource(ReviewVersion.class)
    void aRequestConsistsOfTheSpec(ReviewVersion version) {
        Attributes attributes = new Attributes(new UserInfo("alice", List.of("dev")), GET_PODS);
        assertThat(text(codec.encodeRequest(version, attributes)))
                .isEqualTo(("{\"kind\":\"SubjectAccessReview\",\"apiVersion\":\"%s\","
                                + "\"spec\":{\"resourceAttributes\":{\"namespace\":\"demo\",\"verb\":\"get\",\"resource\":\"pods\"},"
                                + "\"user\":\"alice\",\"%s\":[\"dev\"]}}")
                        .formatted(version.apiVersion(), version.groupsField()));
    }

    @Test
    void unpairedSurrogatesAreReplaced() {
        Attributes attributes = new Attributes(
                new UserInfo("a\ud800", "", List.of("\udc00b"), Map.of("\ud800", List.of("\ud800"))),
                new NonResourceAttributes("/\ud83d\ude00", "get"));
        assertThat(text(codec.encodeRequest(ReviewVersion.K8S_V1, attributes)))
                .contains("\"user\":\"a\ufffd\"", "[\"\ufffdb\"]", "{\"\ufffd\":[\"\ufffd\"]}", "/\ud83d\ude00");
    }

    @Test
    void aStreamIsLeftOpen() throws IOException {
        var out = new ByteArrayOutputStream() {
            boolean closed;

            @Override
            public void close() {
                closed = true;
            }
        };
        ResponseDocument.write(json -> json.writeStringField("kind", "Status"), out);
        assertThat(out.closed).isFalse();
        assertThat(text(out.toByteArray())).isEqualTo("{\"kind\":\"Status\"}");
    }

    @Test
    void anInvalidExpectationIsABug() {
        assertThatThrownBy(() -> Expectation.local(ReviewVersion.K8S_V1, ""))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Expectation(ReviewKind.SUBJECT_ACCESS_REVIEW, ReviewVersion.K8S_V1, "x"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Expectation(ReviewKind.SELF_SUBJECT_ACCESS_REVIEW, null, ""))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ReviewCodec(0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(codec.maxBytes()).isEqualTo(3 << 20);
    }

    private AccessReview decode(Expectation expected, String body) throws StatusException {
        return codec.decode(body.getBytes(StandardCharsets.UTF_8), expected);
    }

    private static String text(byte[] body) {
        return new String(body, StandardCharsets.UTF_8);
    }
}
