package io.plat.apiserver.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.discovery.AggregatedDiscovery;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.filter.TestingIncoming;
import io.plat.apiserver.representation.MediaRange;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NegotiationTest {
    private static Call call(String header, String value) throws StatusException {
        return TestingIncoming.of("GET", "/api")
                .header(header, value == null ? "" : value)
                .by(new UserInfo("alice", List.of()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            ''                                                          | 200
            application/json                                            | 200
            APPLICATION/JSON                                            | 200
            */*                                                         | 200
            application/*                                               | 200
            text/csv, */*;q=0.1                                         | 200
            application/vnd.platform.protobuf, application/json         | 200
            application/json;as=Table;v=v1;g=meta.k8s.io,application/json | 200
            application/json; charset=utf-8                             | 200
            application/json;stream=watch                               | 200
            application/json;as=Table;v=v1;g=meta.k8s.io                | 406
            application/json;q=0                                        | 406
            application/json;q=nonsense                                 | 406
            application/vnd.platform.protobuf                           | 406
            text/csv                                                    | 406
            application/jsonp                                           | 406
            garbage                                                     | 406
            """)
    void answersInJsonOrNotAtAll(String accept, int code) throws StatusException {
        int actual;
        try {
            Negotiation.requireJson(call("Accept", accept));
            actual = 200;
        } catch (StatusException e) {
            actual = e.status().code();
            assertThat(e.status().message())
                    .isEqualTo("406: Not Acceptable\n\nAvailable representations: application/json");
        }
        assertThat(actual).isEqualTo(code);
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
            actual = Negotiation.bodyFormat(call("Content-Type", contentType)).name();
        } catch (StatusException e) {
            actual = Integer.toString(e.status().code());
        }
        assertThat(actual).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList                      | true
            application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json     | true
            application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io                      | true
            application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;q=0.5,application/json | false
            application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json | false
            application/json                                                                          | false
            */*                                                                                       | false
            ''                                                                                        | false
            """)
    void aggregatesDiscoveryForThoseWhoPreferIt(String accept, boolean aggregated) throws StatusException {
        assertThat(Negotiation.prefersAggregatedDiscovery(call("Accept", accept)))
                .isEqualTo(aggregated);
        assertThat(MediaRange.parse(AggregatedDiscovery.TYPE).transforms()).isTrue();
    }
}
