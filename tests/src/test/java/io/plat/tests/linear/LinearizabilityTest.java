package io.plat.tests.linear;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The checker accepts exactly the histories of a register, and detects typical faults of stores. */
class LinearizabilityTest {
    /** Operations as {@code called-returned action result}; without a return there is no response. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            nothing                                             | yes |
            a read of nothing                                   | yes | 1-2 read 0
            a write is read                                     | yes | 1-2 create:7 done, 3-4 read 7
            a write is not read afterwards                      | no  | 1-2 create:7 done, 3-4 read 0
            a write may be read while it is in progress          | yes | 1-9 create:7 done, 2-3 read 7
            or not yet                                          | yes | 1-9 create:7 done, 2-3 read 0
            but not be taken back                               | no  | 1-9 create:7 done, 2-3 read 7, 4-5 read 0
            of two creations one is refused                     | yes | 1-9 create:7 done, 1-9 create:8 refused
            not none                                            | no  | 1-2 create:7 refused
            and not both done                                   | no  | 1-9 create:7 done, 1-9 create:8 done
            a replacement goes on from what it expects          | yes | 1-2 create:7 done, 3-4 replace:7:8 done, 5-6 read 8
            not from anything else                              | no  | 1-2 create:7 done, 3-4 replace:6:8 done
            of two from the same state one is lost              | no  | 1-2 create:7 done, 3-6 replace:7:8 done, 3-6 replace:7:9 done
            a deletion is absence                               | yes | 1-2 create:7 done, 3-4 delete:7 done, 5-6 read 0
            after which there is room again                     | yes | 1-2 create:7 done, 3-4 delete:7 done, 5-6 create:8 done
            a lost answer may have been a write                 | yes | 1- create:7 unknown, 3-4 read 7
            or none                                             | yes | 1- create:7 unknown, 3-4 read 0
            or a late one                                       | yes | 1- create:7 unknown, 3-4 read 0, 5-6 read 7
            but is one write                                    | no  | 1- create:7 unknown, 3-4 read 7, 5-6 delete:7 done, 7-8 read 7
            and no write before it was sent                     | no  | 1-2 read 7, 3- create:7 unknown
            a stale read                                        | no  | 1-2 create:7 done, 3-4 replace:7:8 done, 5-6 read 7
            readers who disagree on the order                   | no  | 1-2 create:7 done, 3-20 replace:7:8 done, 4-5 read 8, 6-7 read 7
            """)
    void acceptsExactlyTheHistoriesOfARegister(String what, String possible, String history) {
        List<Operation> operations = new ArrayList<>();
        if (history != null) {
            for (String text : history.split(", ", -1)) {
                operations.add(operation(text));
            }
        }
        assertThat(Linearizability.violation(operations).isEmpty()).as(what).isEqualTo(possible.equals("yes"));
    }

    private static Operation operation(String text) {
        String[] parts = text.strip().split(" ", -1);
        String[] times = parts[0].split("-", -1);
        String[] action = parts[1].split(":", -1);
        Operation.Action requested = switch (action[0]) {
            case "read" -> new Operation.Action.Read();
            case "create" -> new Operation.Action.Create(Long.parseLong(action[1]));
            case "replace" -> new Operation.Action.Replace(Long.parseLong(action[1]), Long.parseLong(action[2]));
            case "delete" -> new Operation.Action.Delete(Long.parseLong(action[1]));
            default -> throw new IllegalArgumentException(text);
        };
        Operation.Result answered = switch (parts[2]) {
            case "done" -> new Operation.Result.Done();
            case "refused" -> new Operation.Result.Refused();
            case "unknown" -> new Operation.Result.Unknown();
            default -> new Operation.Result.Found(Long.parseLong(parts[2]));
        };
        long returned = times[1].isEmpty() ? Long.MAX_VALUE : Long.parseLong(times[1]);
        return new Operation("k", requested, answered, Long.parseLong(times[0]), returned);
    }

    /** In-memory stores: a correct one, and some faulty ones. */
    enum Store {
        SOUND,
        STALE,
        FORGETFUL,
        UNCHECKED;

        Registers open() {
            return switch (this) {
                case SOUND -> new SoundRegisters();
                case STALE -> new StaleRegisters();
                case FORGETFUL -> new ForgetfulRegisters();
                case UNCHECKED -> new UncheckedRegisters();
            };
        }
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void distinguishesCorrectFromBrokenStores(Store store) throws Exception {
        List<Operation> history = new Clients(store.open(), new AtomicLong()).run(8, 500, 42, () -> {});
        assertThat(Linearizability.violation(history).isEmpty()).isEqualTo(store == Store.SOUND);
    }

    /** Registers with a global lock. */
    private static class SoundRegisters implements Registers {
        final ConcurrentMap<String, Long> states = new ConcurrentHashMap<>();

        @Override
        public synchronized Operation.Result apply(String key, Operation.Action action) {
            long now = states.getOrDefault(key, 0L);
            return switch (action) {
                case Operation.Action.Read ignored -> new Operation.Result.Found(now);
                case Operation.Action.Create create -> write(key, 0, now, create.state());
                case Operation.Action.Replace replace -> write(key, replace.expected(), now, replace.state());
                case Operation.Action.Delete delete -> write(key, delete.expected(), now, 0);
            };
        }

        Operation.Result write(String key, long expected, long now, long state) {
            if (expected != now) {
                return new Operation.Result.Refused();
            }
            states.put(key, state);
            return new Operation.Result.Done();
        }
    }

    /** Every twentieth read returns an old copy, like a lagging follower or a cache. */
    private static final class StaleRegisters extends SoundRegisters {
        private final ConcurrentMap<String, Long> copy = new ConcurrentHashMap<>();
        private int calls;

        @Override
        public synchronized Operation.Result apply(String key, Operation.Action action) {
            calls++;
            if (calls % 10 == 0) {
                copy.putAll(states);
            }
            return action instanceof Operation.Action.Read && calls % 20 == 9
                    ? new Operation.Result.Found(copy.getOrDefault(key, 0L))
                    : super.apply(key, action);
        }
    }

    /** Every hundredth acknowledged write is lost, like on a disk without sync. */
    private static final class ForgetfulRegisters extends SoundRegisters {
        private int writes;

        @Override
        Operation.Result write(String key, long expected, long now, long state) {
            writes++;
            return expected == now && writes % 100 == 0
                    ? new Operation.Result.Done()
                    : super.write(key, expected, now, state);
        }
    }

    /** Every fifth conflicting write is executed, so that an update is lost. */
    private static final class UncheckedRegisters extends SoundRegisters {
        private int refusals;

        @Override
        Operation.Result write(String key, long expected, long now, long state) {
            boolean created = expected != now && ++refusals % 5 == 0;
            return super.write(key, created ? now : expected, now, state);
        }
    }
}
