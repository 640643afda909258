# Completion of molepost(1) for bash.

_molepost()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= i
	local commands="init login play run wait receive route game player ratings archive import replay site board verify fsck
		backup restore store compact export key doctor status log why outbox"

	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-C | --dir) ((i++)) ;;
		-*) ;;
		*) command=${COMP_WORDS[i]}; break ;;
		esac
	done
	case $prev in
	-C | --dir | --folder) COMPREPLY=($(compgen -d -- "$cur")); return ;;
	--unit | --receipt | --extends | --html | --prometheus)
		COMPREPLY=($(compgen -f -- "$cur")); return ;;
	esac
	case $command in
	'') COMPREPLY=($(compgen -W "$commands -C --dir -v --verbose --version --help" -- "$cur")) ;;
	init) COMPREPLY=($(compgen -W "--instance --address --store --mailbox --oauth --ca-file" -- "$cur") $(compgen -d -- "$cur")) ;;
	run) COMPREPLY=($(compgen -W "--dry-run --reread --no-send --take-over --clock-is-right" -- "$cur")) ;;
	play) COMPREPLY=($(compgen -W "--mail --folder" -- "$cur")) ;;
	wait) COMPREPLY=($(compgen -W "--every" -- "$cur")) ;;
	game) COMPREPLY=($(compgen -W "list show new fork hold resume" -- "$cur")) ;;
	player) COMPREPLY=($(compgen -W "list show block unblock forget token drop" -- "$cur")) ;;
	board) COMPREPLY=($(compgen -W "check --rounds --level" -- "$cur") $(compgen -f -- "$cur")) ;;
	ratings) COMPREPLY=($(compgen -W "rebuild" -- "$cur")) ;;
	replay) COMPREPLY=($(compgen -W "--turn --seat --states --speed --list --json --html --chances" -- "$cur") $(compgen -f -- "$cur")) ;;
	verify) COMPREPLY=($(compgen -W "--key --head --receipt --extends --jobs --folder" -- "$cur") $(compgen -f -- "$cur")) ;;
	store) COMPREPLY=($(compgen -W "copy" -- "$cur") $(compgen -f -- "$cur")) ;;
	backup) COMPREPLY=($(compgen -W "--keep" -- "$cur") $(compgen -f -- "$cur")) ;;
	import | restore) COMPREPLY=($(compgen -f -- "$cur")) ;;
	export) COMPREPLY=($(compgen -W "--log-it" -- "$cur")) ;;
	key) COMPREPLY=($(compgen -W "check rotate export import --words" -- "$cur")) ;;
	doctor) COMPREPLY=($(compgen -W "--json --mail --unit" -- "$cur")) ;;
	status) COMPREPLY=($(compgen -W "--json --prometheus" -- "$cur")) ;;
	log) COMPREPLY=($(compgen -W "--since --game --json" -- "$cur")) ;;
	outbox) COMPREPLY=($(compgen -W "list retry drop all" -- "$cur")) ;;
	*) COMPREPLY=() ;;
	esac
}
complete -F _molepost molepost
