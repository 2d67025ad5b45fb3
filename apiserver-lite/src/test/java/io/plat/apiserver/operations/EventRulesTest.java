package io.plat.apiserver.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.patch.PatchFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events of their own group are validated more strictly than those of the core group. */
class EventRulesTest {
    private static final String OWN = "/apis/events.k8s.io/v1/namespaces/default/events";
    private static final String CORE = "/api/v1/namespaces/default/events";
    private static final String EVENT = "{'metadata':{'name':'e'},'eventTime':'2026-01-02T03:04:05.000006Z',"
            + "'reportingController':'example.com/c','reportingInstance':'c-1','action':'Looked','reason':'Noted',"
            + "'type':'Normal','note':'seen','regarding':{'kind':'Pod','name':'web','namespace':'default'}}";

    private final Api api = new Api();

    @AfterEach
    void close() {
        api.close();
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
        'type':'Normal'                       | 'type':'Odd'                          | type: Invalid value: "": has invalid value: Odd
        'action':'Looked',                    |                                       | action: Required value
        'reportingInstance':'c-1',            |                                       | reportingInstance: Required value
        'reportingController':'example.com/c' | 'reportingController':''              | [reportingController: Required value, reportingController: Invalid value: "": name part must be non-empty, reportingController: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')]
        'note'                                | 'deprecatedCount':2,'note'            | count: Invalid value: "": needs to be unset
        'note'                                | 'deprecatedSource':{'host':'h'},'note' | source: Invalid value: "": needs to be unset
        'note'                                | 'series':{'count':1,'lastObservedTime':'2026-01-02T03:04:05.000006Z'},'note' | series.count: Invalid value: "": should be at least 2
        """)
    void newEventRequiresAllFields(String instead, String of, String cause) {
        Api.Answer refused = api.post(OWN, json(EVENT.replace(instead, of == null ? "" : of)));
        assertThat(refused.message()).isEqualTo("Event \"e\" is invalid: " + cause);
    }

    @Test
    void eventTimeIsRequired() {
        Api.Answer refused = api.post(OWN, json(EVENT.replace("'eventTime':'2026-01-02T03:04:05.000006Z',", "")));
        assertThat(refused.message()).isEqualTo("Event \"e\" is invalid: eventTime: Required value");
    }

    @Test
    void onlySeriesMayChange() {
        ObjectNode created = api.given(OWN, json(EVENT));
        Api.Answer continued = api.patch(
                OWN + "/e",
                PatchFormat.MERGE,
                json("{'series':{'count':2,'lastObservedTime':'2026-01-02T03:05:05.000006Z'}}"));
        assertThat(continued.code()).as(continued.message()).isEqualTo(200);
        Api.Answer other = api.patch(OWN + "/e", PatchFormat.MERGE, json("{'note':'else','reportingController':'d'}"));
        assertThat(other.code()).isEqualTo(422);
        assertThat(other.message())
                .isEqualTo("Event \"e\" is invalid: [message: Invalid value: \"else\": field is immutable,"
                        + " reportingController: Invalid value: \"d\": field is immutable]");
        // The earlier rules apply to events of the core group.
        Api.Answer core = api.patch(CORE + "/e", PatchFormat.MERGE, json("{'message':'else'}"));
        assertThat(core.code()).as(core.message()).isEqualTo(200);
        assertThat(created.path("note").asText()).isEqualTo("seen");
    }
}
