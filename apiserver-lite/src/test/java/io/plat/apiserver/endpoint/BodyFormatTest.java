package io.plat.apiserver.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.endpoint.RequestBodies.BodyFormat;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.filter.TestingIncoming;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BodyFormatTest {
    private static Call call(String header, String value) throws StatusException {
        return TestingIncoming.of("GET", "/api")
                .header(header, value == null ? "" : value)
                .by(new UserInfo("alice", List.of()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
        ''                                | JSON
        application/json                  | JSON
        application/json; charset=utf-8   | JSON
        Application/JSON                  | JSON
        application/yaml                  | YAML
        text/csv                          | 415
        application/vnd.kubernetes.protobuf | BINARY
        application/vnd.platform.protobuf | BINARY
        application/x-www-form-urlencoded | 415
        json                              | 415
        """)
    void readsJsonAndYaml(String contentType, String expected) throws StatusException {
        String actual;
        try {
            actual = BodyFormat.of(call("Content-Type", contentType)).name();
        } catch (StatusException e) {
            actual = Integer.toString(e.status().code());
        }
        assertThat(actual).isEqualTo(expected);
    }
}
