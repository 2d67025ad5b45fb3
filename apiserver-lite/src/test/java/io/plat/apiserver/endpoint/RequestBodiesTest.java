package io.plat.apiserver.endpoint;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.filter.TestingIncoming;
import io.plat.apiserver.representation.binary.BinaryForms;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestBodiesTest {
    private static final TypeMeta CONFIG_MAP = new TypeMeta("v1", "ConfigMap");
    private static final String OBJECT =
            "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},\"data\":{\"k\":\"v\"}}";

    private static Call call(String contentType, byte[] body) throws StatusException {
        return TestingIncoming.of("POST", "/api/v1/namespaces/a/configmaps")
                .header("Content-Type", contentType)
                .body(body)
                .by(new UserInfo("alice", List.of()));
    }

    private static String read(String contentType, byte[] body) throws StatusException {
        return new String(RequestBodies.DEFAULT.json(call(contentType, body), CONFIG_MAP), UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/vnd.kubernetes.protobuf", "application/vnd.platform.protobuf"})
    void bothBinaryMediaTypesAreAccepted(String contentType) throws Exception {
        byte[] binary = BinaryForms.builtIn().find(CONFIG_MAP).orElseThrow().envelope(OBJECT.getBytes(UTF_8));
        assertThat(new JsonMapper().readTree(read(contentType, binary))).isEqualTo(new JsonMapper().readTree(OBJECT));
    }

    @Test
    void jsonIsPassedUnchanged() throws StatusException {
        assertThat(read("application/json", " {\"a\" : 1}".getBytes(UTF_8))).isEqualTo(" {\"a\" : 1}");
        assertThat(read("", OBJECT.getBytes(UTF_8))).isEqualTo(OBJECT);
    }

    @Test
    void yamlBecomesJson() throws StatusException {
        assertThat(read("application/yaml", "a: [1, b]".getBytes(UTF_8))).isEqualTo("{\"a\":[1,\"b\"]}");
    }

    @ParameterizedTest
    @CsvSource({"application/json, ''", "application/yaml, null"})
    void emptyBodyStaysEmpty(String contentType, String json) throws StatusException {
        assertThat(read(contentType, new byte[0])).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource({
        "application/vnd.kubernetes.protobuf, '', 400",
        "application/vnd.kubernetes.protobuf, {}, 400",
        "application/vnd.kubernetes.protobuf, k8s, 400",
        "application/yaml, a: [, 400",
        "text/plain, x, 415",
    })
    void unreadableBodiesAreRefused(String contentType, String body, int code) {
        assertThatThrownBy(() -> read(contentType, body.getBytes(ISO_8859_1)))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status().code()).isEqualTo(code));
    }

    @Test
    void limitAppliesToEveryFormat() {
        byte[] large = "x".repeat(100).getBytes(UTF_8);
        for (String contentType :
                List.of("application/json", "application/yaml", "application/vnd.kubernetes.protobuf")) {
            assertThatThrownBy(() -> new RequestBodies(99).json(call(contentType, large), CONFIG_MAP))
                    .isInstanceOfSatisfying(
                            StatusException.class,
                            e -> assertThat(e.status().code()).isEqualTo(413));
        }
    }
}
