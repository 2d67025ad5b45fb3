/**
 * A fault drill: members of etcd, API servers and deciders are killed, paused and disconnected in turn while clients write, watch and send
 * forbidden requests. The observations of the clients are checked afterwards by checks that know nothing about the faults; each of them
 * must detect the misbehaviour of a {@link io.plat.tests.drill.FaultyAccess}.
 */
@NullMarked
package io.plat.tests.drill;

import org.jspecify.annotations.NullMarked;
