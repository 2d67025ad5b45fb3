package io.plat.apiserver.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.operations.Api;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.type.ResourceCatalog;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Permitted changes of a signing request's approval. */
class ApprovalRulesTest {
    private static final String APPROVED = "{'type':'Approved','status':'True'}";

    private static JsonNode request(String status) {
        return Api.tree("{\"status\":" + status.replace("APPROVED", APPROVED).replace('\'', '"') + "}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
        approval | {} | {'conditions':[APPROVED]} | ^^
        approval | {} | {'conditions':[{'type':'example.com/Seen','status':'Unknown'}]} | ^^
        approval | {} | {'conditions':[{'type':'Denied','status':'False'}]} | status.conditions[0].status: Unsupported value: "False": supported values: "True"
        approval | {} | {'conditions':[{'status':'True'}]} | status.conditions[0].type: Required value
        approval | {} | {'conditions':[APPROVED,APPROVED]} | status.conditions[1].type: Duplicate value: "Approved"
        approval | {'conditions':[APPROVED]} | {'conditions':[APPROVED,{'type':'Denied','status':'True'}]} | status.conditions[1].type: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive
        approval | {'conditions':[APPROVED]} | {} | status.conditions: Forbidden: updates may not remove a condition of type "Approved"
        approval | {} | {'certificate':'LS0='} | ^^
        approval | {'certificate':'LS0='} | {'certificate':'LS1='} | status.certificate: Forbidden: updates may not modify existing certificate content
        status | {} | {'conditions':[APPROVED]} | status.conditions: Forbidden: updates may not add a condition of type "Approved"
        status | {} | {'conditions':[{'type':'Failed','status':'True'}]} | ^^
        status | {'conditions':[APPROVED]} | {'conditions':[APPROVED]} | ^^
        status | {'conditions':[APPROVED]} | {} | status.conditions: Forbidden: updates may not remove a condition of type "Approved"
        status | {} | {'certificate':'LS0='} | ^^
        """)
    void approvalsAreImmutable(String part, String before, String now, String problem) {
        var causes = new Causes();
        Rules.check(ResourceCatalog.CERTIFICATE_REQUESTS + "/" + part, Field.of(request(now), request(before), causes));
        assertThat(causes.list().stream()
                        .map(cause -> cause.field() + ": " + cause.message())
                        .reduce("", String::concat))
                .isEqualTo(problem);
    }
}
