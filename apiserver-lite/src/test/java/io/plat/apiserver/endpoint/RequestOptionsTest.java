package io.plat.apiserver.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.request.QueryParameters;
import io.plat.apiserver.resource.DeleteOptions;
import io.plat.apiserver.resource.ListOptions;
import io.plat.apiserver.resource.WriteOptions;
import io.plat.apiserver.resource.WriteOptions.FieldValidation;
import io.plat.review.status.StatusException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestOptionsTest {
    private static QueryParameters query(String raw) throws StatusException {
        return QueryParameters.parse(raw);
    }

    @Test
    void aQueryWithoutParametersMeansTheDefaults() throws StatusException {
        assertThat(RequestOptions.list(QueryParameters.NONE)).isEqualTo(ListOptions.DEFAULT);
        assertThat(RequestOptions.write(QueryParameters.NONE)).isEqualTo(WriteOptions.DEFAULT);
        assertThat(RequestOptions.delete(QueryParameters.NONE, DeleteOptions.DEFAULT))
                .isEqualTo(DeleteOptions.DEFAULT);
    }

    @Test
    void everyParameterOfAListIsTakenOver() throws StatusException {
        assertThat(RequestOptions.list(query("labelSelector=a%3Db&fieldSelector=metadata.name%3Dx&resourceVersion=7"
                        + "&resourceVersionMatch=Exact&limit=500&continue=abc&unknown=1")))
                .isEqualTo(new ListOptions("a=b", "metadata.name=x", "7", "Exact", 500, "abc"));
    }

    @ParameterizedTest
    @CsvSource({"limit=0, 0", "limit=, 0", "limit=1, 1", "limit=99999999999, 2147483647"})
    void limitsAreNumbers(String raw, int limit) throws StatusException {
        assertThat(RequestOptions.list(query(raw)).limit()).isEqualTo(limit);
    }

    @ParameterizedTest
    @CsvSource({
        "'', false, WARN",
        "fieldValidation=Strict, false, STRICT",
        "fieldValidation=Ignore&dryRun=All, true, IGNORE",
        "fieldValidation=Warn&dryRun=, false, WARN",
        "fieldManager=kubectl&pretty=true, false, WARN",
    })
    void writesAreMeantAsTheQuerySays(String raw, boolean dryRun, FieldValidation validation) throws StatusException {
        assertThat(RequestOptions.write(query(raw))).isEqualTo(new WriteOptions(dryRun, validation));
    }

    @Test
    void theQueryAddsToTheOptionsOfADeletion() throws StatusException {
        DeleteOptions body = new DeleteOptions(false, "u", "5", "Background");
        assertThat(RequestOptions.delete(query("dryRun=All&propagationPolicy=Orphan"), body))
                .isEqualTo(new DeleteOptions(true, "u", "5", "Orphan"));
        assertThat(RequestOptions.delete(query("gracePeriodSeconds=0"), body)).isEqualTo(body);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            limit=-1                  | limit: "-1" is wrong, expected a number that is not negative
            limit=many                | limit: "many" is wrong, expected a number that is not negative
            limit=1.5                 | limit: "1.5" is wrong, expected a number that is not negative
            dryRun=some               | dryRun: "some" is wrong, expected "All"
            dryRun=all                | dryRun: "all" is wrong, expected "All"
            fieldValidation=strict    | fieldValidation: "strict" is wrong, expected "Ignore", "Warn" or "Strict"
            propagationPolicy=Forever | propagationPolicy: "Forever" is wrong, expected "Background", "Foreground" or "Orphan"
            """)
    void whatIsMalformedIsTheClientsFault(String raw, String message) {
        assertThatThrownBy(() -> {
                    RequestOptions.list(query(raw));
                    RequestOptions.write(query(raw));
                    RequestOptions.delete(query(raw), DeleteOptions.DEFAULT);
                })
                .isInstanceOfSatisfying(StatusException.class, e -> {
                    assertThat(e.status().code()).isEqualTo(400);
                    assertThat(e.status().message()).isEqualTo(message);
                });
    }
}
