package io.plat.client.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventStreamReaderTest {
    private static List<String> read(String text, int... lengths) throws EventStreamReader.MalformedException {
        List<String> events = new ArrayList<>();
        EventStreamReader stream = new EventStreamReader(events::add, () -> {});
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int at = 0;
        for (int length : lengths) {
            int taken = Math.min(length, bytes.length - at);
            stream.read(ByteBuffer.wrap(bytes, at, taken));
            at += taken;
        }
        stream.read(ByteBuffer.wrap(bytes, at, bytes.length - at));
        return events;
    }

    /** N is a line feed, R a carriage return. */
    @ParameterizedTest
    @CsvSource({
        "data: a-1NN, a-1",
        "data:a-1NN, a-1",
        "data:  a-1NN, ' a-1'",
        "data: a-1RNRN, a-1",
        "data: a-1RR, a-1",
        "data: a-1NNdata: b-2NN, 'a-1,b-2'",
        "id: 7Nevent: revisionNdata: a-1Nretry: 5NN, a-1",
        ":NNdata: a-1NN:NN: still hereNN, a-1",
        "data: a-1N, ''",
        "data: a-1, ''",
        "dataNN, ''",
        "data:NN, ''",
        "data: NN, ''",
        "datas: a-1NN, ''",
        "NNNNdata: a-1NN, a-1",
        "'', ''",
    })
    void eventsAreTheirData(String text, String expected) throws Exception {
        List<String> events = expected.isEmpty() ? List.of() : List.of(expected.split(","));
        String stream = text.replace('N', '\n').replace('R', '\r');
        assertThat(read(stream)).isEqualTo(events);
        int[] single = stream.chars().map(c -> 1).toArray();
        assertThat(read(stream, single)).as("byte by byte").isEqualTo(events);
    }

    @Test
    void longOrMultiLineEventsAreRefused() {
        assertThatThrownBy(() -> read("data: " + "x".repeat(1025)))
                .isInstanceOf(EventStreamReader.MalformedException.class)
                .hasMessage("a line of more than 1024 bytes");
        assertThatThrownBy(() -> read("data: a\ndata: b\n\n"))
                .isInstanceOf(EventStreamReader.MalformedException.class)
                .hasMessage("an event of several lines");
    }

    @Property
    void chunkBoundariesDoNotMatter(@ForAll @Size(max = 40) List<@IntRange(min = 1, max = 5) Integer> cuts)
            throws Exception {
        String text = "data: a-1\r\n\r\n:\n\nid: 1\ndata: b-2\n\n\rdata: c\r\r";
        assertThat(read(text, cuts.stream().mapToInt(cut -> cut).toArray())).containsExactly("a-1", "b-2", "c");
    }

    @Property
    void anyBytesAreReadOrMalformed(@ForAll byte[] bytes) {
        List<String> events = new ArrayList<>();
        try {
            new EventStreamReader(events::add, () -> {}).read(ByteBuffer.wrap(bytes));
        } catch (EventStreamReader.MalformedException e) {
            assertThat(e).hasMessageStartingWith("a");
        }
        assertThat(events).allSatisfy(event -> assertThat(event.length()).isLessThan(1024));
    }

    @ParameterizedTest
    @CsvSource({"5203273eead6-1, true", "a, true", "'', false", "a b, false", "ä, false", "'a\n', false"})
    void aNameIsAWord(String text, boolean name) {
        assertThat(RevisionName.isName(text)).isEqualTo(name);
        assertThat(RevisionName.of(text)).isEqualTo(name ? text : "");
        assertThat(RevisionName.isName("x".repeat(257))).isFalse();
        assertThat(RevisionName.of(null)).isEmpty();
    }
}
