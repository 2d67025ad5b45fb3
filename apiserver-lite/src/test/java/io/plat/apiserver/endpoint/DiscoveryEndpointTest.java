package io.plat.apiserver.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.discovery.AggregatedDiscovery;
import io.plat.apiserver.representation.MediaRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiscoveryEndpointTest {
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
    void aggregatedDiscoveryIsNegotiated(String accept, boolean aggregated) {
        assertThat(DiscoveryEndpoint.prefersAggregated(accept)).isEqualTo(aggregated);
        assertThat(MediaRange.parse(AggregatedDiscovery.TYPE).transforms()).isTrue();
    }
}
