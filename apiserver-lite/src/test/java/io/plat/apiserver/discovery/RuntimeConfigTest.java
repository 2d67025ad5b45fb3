package io.plat.apiserver.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuntimeConfigTest {
    private static final String RBAC = "rbac.authorization.plat.io/v1alpha1";
    private static final String REVIEWS = "authorization.plat.io/v1beta1";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            ""                                                  | false | false
            rbac.authorization.plat.io/v1alpha1                 | true  | false
            rbac.authorization.plat.io/v1alpha1=true            | true  | false
            rbac.authorization.plat.io/v1alpha1=                | true  | false
            rbac.authorization.plat.io/v1alpha1=false           | false | false
            authorization.plat.io/v1beta1=true                  | false | true
            api/all=true                                        | true  | true
            api/all                                             | true  | true
            api/all=false                                       | false | false
            api/alpha=true                                      | true  | false
            api/beta=true                                       | false | true
            api/ga=true                                         | false | false
            api/all=true,api/alpha=false                        | false | true
            api/all=true,rbac.authorization.plat.io/v1alpha1=false | false | true
            api/all=false,authorization.plat.io/v1beta1         | false | true
            " authorization.plat.io/v1beta1=true , api/alpha "  | true  | true
            """)
    void gatesTheSpecificationsGroups(String flag, boolean rbac, boolean reviews) {
        List<String> problems = new ArrayList<>();
        RuntimeConfig config = RuntimeConfig.parse(flag, problems);
        assertThat(problems).isEmpty();
        assertThat(config.serves(RBAC)).isEqualTo(rbac);
        assertThat(config.serves(REVIEWS)).isEqualTo(reviews);
        for (String always : List.of("v1", "authorization.k8s.io/v1", "rbac.authorization.k8s.io/v1")) {
            assertThat(config.serves(always)).isTrue();
        }
    }

    @Test
    void reportsInvalidEntries() {
        List<String> problems = new ArrayList<>();
        RuntimeConfig config = RuntimeConfig.parse(
                "authorization.plat.io/v1beta1=perhaps,nope/v1=true,authorization.k8s.io/v1=false,v1=true,"
                        + "v1/resourcequotas=false,v1/pods=true,v1/nope=false,v1/namespaces=false",
                problems);
        problems.addAll(config.problems(ResourceCatalog.builtIn()));
        assertThat(problems)
                .satisfiesExactlyInAnyOrder(
                        p -> assertThat(p).startsWith("invalid entry \"authorization.plat.io/v1beta1=perhaps\""),
                        p -> assertThat(p).startsWith("\"nope/v1\" is unknown"),
                        p -> assertThat(p).startsWith("\"v1/nope\" is unknown"),
                        p -> assertThat(p).startsWith("\"v1/namespaces\" cannot be disabled"),
                        p -> assertThat(p).startsWith("\"authorization.k8s.io/v1\" cannot be disabled"));
    }

    @Test
    void disablesOneTypeOfAGroupVersion() {
        RuntimeConfig config = RuntimeConfig.parse("v1/resourcequotas=false", new ArrayList<>());
        ServedTypes served = new ServedTypes(ResourceCatalog.builtIn(), config);
        assertThat(served.find("", "v1", "resourcequotas")).isEmpty();
        assertThat(served.find("", "v1", "limitranges")).isPresent();
        assertThat(served.types("", "v1"))
                .extracting(ResourceType::resource)
                .contains("pods", "limitranges")
                .doesNotContain("resourcequotas");
    }
}
