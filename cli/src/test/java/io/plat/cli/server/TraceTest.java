package io.plat.cli.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The trace of requests and responses contains no token. */
class TraceTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'spec':{'token':'s3cret'}}",
                "{'status':{'token':'s3cret'}}",
                "{'token':['s3cret',{'a':'s3cret'}]}",
                "{'extra':{'ID-Token':['s3cret']}}",
                "{'access_token':{'x':'s3cret'},'password':'s3cret'}",
                "{'message':'unknown token own-t0ken'}",
                "['own-t0ken']",
            })
    void tokensAreMasked(String body) {
        var out = new StringWriter();
        Trace trace = new Trace(() -> new PrintWriter(out), Trace.BODIES).of("own-t0ken");
        byte[] json = body.replace('\'', '"').getBytes(UTF_8);
        trace.request("POST https://s3cret@server/x?a=b&access_token=s3cret", json);
        trace.response("200 application/json", json);
        assertThat(out.toString())
                .doesNotContain("s3cret", "own-t0ken")
                .contains("(masked)", "> POST https://(masked)@server/x?a=b&access_token=(masked)\n");
    }
}
