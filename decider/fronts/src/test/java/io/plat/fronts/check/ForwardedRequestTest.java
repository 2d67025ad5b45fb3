package io.plat.fronts.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.review.status.StatusException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForwardedRequestTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', emptyValue = "", textBlock = """
        GET /check/a?b                | ''                                                        | GET /a?b
        GET /check/                   | ''                                                        | GET /
        POST /check/check/a           | ''                                                        | POST /check/a
        GET /check                    | ''                                                        | 400
        GET /check?x                  | ''                                                        | 400
        GET /check                    | X-Forwarded-Method: PUT, X-Forwarded-Uri: /a?b            | PUT /a?b
        GET /check                    | X-Original-Method: PUT, X-Original-URI: /a                | PUT /a
        GET /check                    | X-Original-Method: PUT                                    | 400
        GET /check                    | X-Original-URI: /a                                        | 400
        GET /check/a                  | X-Forwarded-Uri: /a                                       | 400
        GET /check                    | X-Original-Method: PUT, X-Original-URI: /a, X-Original-URI: /a | 400
        GET /check                    | X-Original-Method: PUT, X-Original-Method: GET, X-Original-URI: /a | 400
        GET /check                    | X-Forwarded-Method: PUT, X-Forwarded-Uri: /a, X-Original-Method: PUT, X-Original-URI: /a | PUT /a
        GET /check                    | X-Forwarded-Method: PUT, X-Forwarded-Uri: /a, X-Original-Method: PUT, X-Original-URI: /b | 400
        GET /check                    | X-Forwarded-Method: PUT, X-Forwarded-Uri: /a, X-Original-Method: GET, X-Original-URI: /a | 400
        GET /check/a                  | X-Forwarded-Method: GET, X-Forwarded-Uri: /a              | GET /a
        GET /check/admin              | X-Forwarded-Method: GET, X-Forwarded-Uri: /public         | 400
        POST /check/a                 | X-Forwarded-Method: GET, X-Forwarded-Uri: /a              | 400
        """)
    void readsOneRequestLine(String line, String fields, String expected) {
        String[] words = line.split(" ", -1);
        TestingFields sent = fields.isEmpty() ? TestingFields.of() : TestingFields.of(fields.split(", ", -1));
        String found;
        try {
            ProxiedRequest request = ForwardedRequest.read(words[0], words[1], sent);
            found = request.method() + " " + request.target();
        } catch (StatusException e) {
            found = String.valueOf(e.status().code());
        }
        assertThat(found).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "/check,true",
        "/check/,true",
        "/check/a,true",
        "/checks,false",
        "/,false",
        "/Check,false",
        "/check;a,false"
    })
    void recognizesItsPaths(String path, boolean own) {
        assertThat(ForwardedRequest.isCheck(path)).isEqualTo(own);
    }
}
