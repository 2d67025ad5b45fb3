package io.plat.tests.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The oracle reports each kind of violation, so that a run without one is meaningful. */
class OracleTest {
    private static final HostileRequest FORBIDDEN =
            new HostileRequest("test", HostileRequest.Protocol.HTTP_1_1, "", true);
    private static final HostileRequest ALLOWED =
            new HostileRequest("test", HostileRequest.Protocol.HTTP_1_1, "", false);

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            200 | {"data":{"value":"no-one-may-see-this"}}          | a forbidden object was shown
            403 | {"message":"no-one-may-see-this"}                 | a forbidden object was shown
            201 | {"status":{"allowed":true}}                       | "allowed": true
            500 | {"kind":"Status"}                                 | answered 500
            400 | {"message":"java.lang.IllegalStateException"}     | internals leaked
            200 | {"kind":"SecretList","items":[]}                  | something else
            """)
    void reportsWrongReplies(int status, String text, String violation) {
        assertThat(Oracle.violation(ALLOWED, new Reply(List.of(status), text, false))
                        .orElseThrow())
                .contains(violation);
    }

    @Test
    void reportsForbiddenSuccess() {
        assertThat(Oracle.violation(FORBIDDEN, new Reply(List.of(403, 200), "", false)))
                .contains("a forbidden request was answered 200");
    }

    @Test
    void reportsTimeouts() {
        assertThat(Oracle.violation(ALLOWED, new Reply(List.of(), "", true)).orElseThrow())
                .contains("neither answered nor closed");
    }

    @Test
    void acceptsExpectedResponses() {
        assertThat(Oracle.violation(ALLOWED, new Reply(List.of(200), "{\"data\":\"" + Oracle.OPEN + "\"}", false)))
                .isEmpty();
        assertThat(Oracle.violation(FORBIDDEN, new Reply(List.of(400, 403, 404, 431), "{\"kind\":\"Status\"}", false)))
                .isEmpty();
    }
}
