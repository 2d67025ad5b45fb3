/**
 * A fault drill: members of etcd, API servers and deciders are killed, paused and cut off in turn while clients write, watch and ask for
 * what they may not have. What the clients saw is judged afterwards by checks that know nothing of how it came about, and that a door
 * which lies to the clients must not pass.
 */
@NullMarked
package io.plat.tests.drill;

import org.jspecify.annotations.NullMarked;
