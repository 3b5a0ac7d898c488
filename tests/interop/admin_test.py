"""The stock icestormadmin against the broker (behaviour reference 11). Not here: link, unlink and
replica.

The real IceStorm runs with a database: its transient mode has no finder (B91) and never frees the
name of a destroyed topic (B71); ours is transient."""

import re
import subprocess
import unittest

from support.case import InteropCase

DEADLINE = 20


class AdminCase(InteropCase):
    persistent = True

    def default_manager(self):
        return [f"--IceStormAdmin.TopicManager.Default={self.broker.manager_proxy}"]

    def admin(self, *commands, options=None, stdin=""):
        """Runs the tool; returns its exit status, its output lines and its standard error."""
        arguments = ["icestormadmin"] + (self.default_manager() if options is None else options)
        for command in commands:
            arguments += ["-e", command]
        done = subprocess.run(arguments, input=stdin, capture_output=True, text=True,
                              encoding="utf-8", timeout=DEADLINE, check=False)
        return done.returncode, done.stdout.splitlines(), done.stderr

    def assert_runs(self, *commands, output=(), **rest):
        """The commands succeed silently but for exactly these output lines."""
        self.assertEqual(self.admin(*commands, **rest), (0, list(output), ""), commands)

    def assert_complains(self, command, pattern, *, status, output=()):
        """The tool's standard error is this pattern in full."""
        code, lines, errors = self.admin(command)
        self.assertRegex(errors, rf"\A{pattern}\s*\Z", command)
        self.assertEqual((code, lines), (status, list(output)), command)


class AdminCommandsTest(AdminCase):
    def tearDown(self):
        for topic in self.manager.retrieveAll().values():
            topic.destroy()

    def test_create_lists_and_destroys(self):
        self.assert_runs("topics")
        self.assert_runs("create beta alpha gamma")
        self.assert_runs("topics", output=["alpha", "beta", "gamma"])
        self.assert_runs("topics IceStorm", output=["alpha", "beta", "gamma"])
        self.assert_runs("destroy beta")
        self.assert_runs("topics", output=["alpha", "gamma"])
        self.assert_runs("destroy alpha gamma; topics")

    def test_create_is_seen_by_clients_at_once(self):
        self.assert_runs("create news")
        self.assertEqual(self.manager.retrieve("news").getName(), "news")

    def test_destroyed_name_is_created_again(self):
        """B71"""
        for _ in range(3):
            self.assert_runs("create again; topics; destroy again", output=["again"])

    def test_one_failing_topic_is_an_error(self):
        self.assert_runs("create taken")
        self.assert_complains("create taken", "error: topic [`']taken' exists", status=1)
        self.assert_complains("destroy absent", "error: couldn't find topic [`']absent'", status=1)
        self.assert_complains("subscribers absent", "error: couldn't find topic [`']absent'",
                              status=1)

    def test_several_topics_go_on_with_warnings(self):
        self.assert_runs("create t1 t2")
        self.assert_complains("create t1 t3 t2", "warning: topic [`']t1' exists\n"
                              "warning: topic [`']t2' exists", status=0)
        self.assert_runs("topics", output=["t1", "t2", "t3"])
        self.assert_complains("destroy t3 absent t1", "warning: couldn't find topic [`']absent'",
                              status=0)
        self.assert_runs("topics", output=["t2"])

    def test_subscribers_are_listed_by_identity(self):
        self.assert_runs("create watched quiet")
        topic = self.manager.retrieve("watched")
        for identity in ("plain", "cat/named", "with\\/slash", "UPPER case"):
            topic.subscribeAndGetPublisher({}, self.proxy(f"\"{identity}\":tcp -h 127.0.0.1 -p 1"))
        status, lines, errors = self.admin("subscribers watched quiet")
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(lines[0], "watched: subscribers:")
        self.assertEqual(sorted(lines[1:5]),
                         ["\tUPPER case", "\tcat/named", "\tplain", "\twith\\/slash"])
        self.assertEqual(lines[5:], ["quiet: subscribers:"])
        topic.unsubscribe(self.proxy("plain:tcp -h 127.0.0.1 -p 9"))
        self.assertNotIn("\tplain", self.admin("subscribers watched")[1])

    def test_current_names_and_switches_the_manager(self):
        self.assert_runs("current", output=["IceStorm/TopicManager"])
        self.assert_runs("current IceStorm; current", output=["IceStorm/TopicManager"])
        self.assert_complains("current Other", "error: couldn't find IceStorm service [`']Other'",
                              status=1)

    def test_links_are_empty(self):
        self.assert_runs("create lonely; links; links IceStorm")

    def test_commands_come_from_standard_input(self):
        status, lines, errors = self.admin(stdin="create typed\ntopics; current\nexit\n")
        self.assertEqual((status, errors), (0, ""))
        output = [re.sub(r"^(>>> )+", "", line) for line in lines]
        self.assertEqual([line for line in output if line and "Copyright" not in line],
                         ["typed", "IceStorm/TopicManager"])


class AdminNamesTest(AdminCase):
    """B94: names that look like commands, or that need quoting."""

    def round_trip(self, name, for_subscribers, for_others):
        """Made by a client, listed and destroyed by the tool; then made by the tool as well."""
        topic = self.manager.create(name)
        try:
            self.assert_runs("topics", output=[name])
            self.assert_runs(f"subscribers {for_subscribers}", output=[f"{name}: subscribers:"])
            self.assert_complains(f"create {for_others}",
                                  f"error: topic [`']{re.escape(name)}' exists", status=1)
            self.assert_runs(f"destroy {for_others}; topics")
            self.assert_runs(f"create {for_others}; topics", output=[name])
        finally:
            topic.destroy()

    def test_names_round_trip_with_quoting(self):
        table = [
            ("replica", '"replica"'), ("subscribers", "'subscribers'"), ("create", '"create"'),
            ("topics", '"topics"'), ("exit", "'exit'"), ("a b", '"a b"'), ("  ", "'  '"),
            ("Größe-目", "Größe-目"), ("semi;colon", '"semi;colon"'),
            ('say "hi"', "'say \"hi\"'"), ("it's", '"it\'s"'), ("topic.topic", "topic.topic"),
            ("", '""'), ("L" * 400, "L" * 400),
        ]
        for name, quoted in table:
            with self.subTest(name=name):
                self.round_trip(name, quoted, quoted)

    def test_slash_and_backslash_need_an_escape(self):
        """A topic argument is an identity INSTANCE/TOPIC, except for `subscribers` in 3.7."""
        self.round_trip("x/y", '"x/y"', "'IceStorm/x\\/y'")
        self.round_trip("// none", "'// none'", "'IceStorm/\\/\\/ none'")
        self.round_trip("back\\slash", "'back\\slash'", "'back\\\\slash'")
        self.assert_complains(
            "create x/y", "(error|warning): couldn't find IceStorm service [`']x'", status=1)

    def test_unquoted_command_word_is_a_syntax_error(self):
        self.assert_complains("create replica", "error: .*syntax error", status=1)


class AdminConfigurationTest(AdminCase):
    """B91 and B98: how the tool finds, or does not find, the broker."""

    def test_finder_leads_from_host_and_port_to_the_manager(self):
        options = ["--IceStormAdmin.Host=127.0.0.1",
                   f"--IceStormAdmin.Port={self.broker.manager_port}"]
        self.assert_runs("create found; topics; current; destroy found", options=options,
                         output=["found", "IceStorm/TopicManager"])

    def test_manager_under_any_key(self):
        options = [f"--IceStormAdmin.TopicManager.Mine={self.broker.manager_proxy}"]
        self.assert_runs("current; topics IceStorm", options=options,
                         output=["IceStorm/TopicManager"])

    def test_wrong_instance_name_is_not_found(self):
        wrong = self.broker.manager_proxy.replace("IceStorm/", "Elsewhere/")
        options = [f"--IceStormAdmin.TopicManager.Default={wrong}"]
        status, lines, errors = self.admin("topics", options=options)
        self.assertEqual((status, lines), (1, []))
        self.assertIn("ObjectNotExistException", errors)
        self.assertIn("Elsewhere/TopicManager", errors)


class AdminInstanceNameTest(AdminCase):
    properties = {"IceStorm.InstanceName": "Weather"}

    def test_instance_name_is_the_category_and_the_finder_stays(self):
        options = ["--IceStormAdmin.Host=127.0.0.1",
                   f"--IceStormAdmin.Port={self.broker.manager_port}"]
        self.assert_runs("current; create rain; topics", options=options,
                         output=["Weather/TopicManager", "rain"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
