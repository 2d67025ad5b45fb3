package io.plat.apiserver.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.operations.Api;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.options.WriteOptions;
import io.plat.review.UserInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** User attributes in a certificate signing request. */
class CertificateAuthorsTest {
    private static final String REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
    private static final String CLAIMED = """
            {"kind":"CertificateSigningRequest","apiVersion":"certificates.k8s.io/v1","metadata":{"name":"mine"},
             "spec":{"request":"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlITE1ISUNBUUF3RURFT01Bd0dBMVVFQXd3RlpYWmxjbmt3V1RBVEJnY3Foa2\
pPUFFJQkJnZ3Foa2pPUFFNQgpCd05DQUFUNWVRSGdPZklHODdWZHE2aDdKN3Y3ejMvV2lWZmwwM1lyTXVwUmtNZFg1RldzeGphMmIzTHp5emdt\
CkVtSGRSMVQwN0NnNmpmdENNd1BzNnovZTdRSUtvQUF3Q2dZSUtvWkl6ajBFQXdJRFNRQXdSZ0loQUljSklpRG0KWFlzMVRoSzZlVjBXcnVlSX\
YzUXV0Mnp3amxoT2czSURuck1HQWlFQTh5WGNnWUlmUUM2QjkyV1VYb0E4RDU2Nwo5Snk2Rk5RYnA1NUg2Z3krT0Q4PQotLS0tLUVORCBDRVJU\
SUZJQ0FURSBSRVFVRVNULS0tLS0K","signerName":"example.com/any","usages":["client auth"],
                     "username":"root","uid":"0","groups":["system:masters"],"extra":{"a":["b"]}}}""";
    private static final UserInfo ALICE = new UserInfo(
            "alice", "7", List.of("dev", "system:authenticated"), Map.of("example.com/session", List.of("1", "2")));

    @Test
    void requestIsAttributedToItsAuthor() {
        try (Api api = new Api()) {
            JsonNode spec = api.post(REQUESTS, CLAIMED, WriteOptions.DEFAULT.of(Requester.of(ALICE)))
                    .body()
                    .path("spec");
            assertThat(spec.path("username").asText()).isEqualTo("alice");
            assertThat(spec.path("uid").asText()).isEqualTo("7");
            assertThat(spec.path("groups")).hasToString("[\"dev\",\"system:authenticated\"]");
            assertThat(spec.path("extra")).hasToString("{\"example.com/session\":[\"1\",\"2\"]}");
            assertThat(spec.path("signerName").asText()).isEqualTo("example.com/any");
        }
    }

    @Test
    void withoutAnAuthorTheUserIsEmpty() {
        try (Api api = new Api()) {
            JsonNode spec =
                    api.post(REQUESTS, CLAIMED, WriteOptions.DEFAULT).body().path("spec");
            assertThat(spec.path("signerName").asText()).isEqualTo("example.com/any");
            assertThat(spec.has("username")).isFalse();
            assertThat(spec.has("groups")).isFalse();
        }
    }
}
