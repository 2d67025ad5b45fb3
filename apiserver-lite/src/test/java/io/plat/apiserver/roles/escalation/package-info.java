@NullMarked
package io.plat.apiserver.roles.escalation;

import org.jspecify.annotations.NullMarked;
